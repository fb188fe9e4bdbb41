import { expect, it, vi } from "vitest";
import { freePorts } from "./free-ports.ts";

it("free ports are all different, and none that an outgoing connection may take", async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("a port that one process was given is given to no other one, though nobody listens on it yet", async () => {
  const ours = await freePorts(500);
  vi.resetModules();
  const other = await import("./free-ports.ts");
  const theirs = await other.freePorts(500);
  expect(new Set([...ours, ...theirs]).size).toBe(1_000);
});
