import { expect, it } from "vitest";
import { requireKnownForm } from "./form.ts";

const SNAPSHOT = { name: "first", takenAt: "2026-12-01T00:00:00.000Z", bytes: 1, form: 1 };

it.each([
  ["0.2.10", "0.2.10"],
  ["0.2.9", "0.2.10"],
  ["0.9.9", "0.10.0"],
  ["0.10.5", "1.0.0"],
])("a snapshot of %s is put back by %s", (version, own) => {
  expect(() => requireKnownForm({ ...SNAPSHOT, version }, own)).not.toThrow();
});

it.each([
  ["0.2.10", "0.2.9"],
  ["0.10.0", "0.9.9"],
  ["1.0.0", "0.10.5"],
  ["1.0", "2.0.0"],
  ["1.0.0-rc.1", "2.0.0"],
])("INV-9: a snapshot of %s is not put back by %s", (version, own) => {
  expect(() => requireKnownForm({ ...SNAPSHOT, version }, own)).toThrow(`and this is Conclave ${own}`);
});
