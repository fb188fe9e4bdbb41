import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AgedCopies } from "./aged-copies.ts";

const EVERY_MS = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-copies-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A disk whose copies a test controls, with a record of what was restored. */
const scripted = (longestMs: number) => {
  const restored: string[] = [];
  const state = { nowMs: 10_000, isCopied: true, isStopped: Promise.resolve() };
  const copies = new AgedCopies(
    {
      copy: (to) => {
        mkdirSync(to, { recursive: true });
        return state.isCopied;
      },
      restore: async (from) => {
        await state.isStopped;
        expect(existsSync(from)).toBe(true);
        restored.push(from.slice(folder.length + 1));
      },
    },
    { folder, everyMs: EVERY_MS, longestMs, nowMs: () => state.nowMs },
  );
  const copyAt = (...times: readonly number[]): void => {
    for (const atMs of times) {
      state.nowMs = atMs;
      copies.copy();
    }
  };
  return { copies, copyAt, restored, state };
};

it("takes a disk back to the newest copy of so long ago, or to the first", async () => {
  const { copies, copyAt, restored, state } = scripted(60_000);
  using _ = copies;
  copyAt(11_000, 12_000, 13_000);
  expect(readdirSync(folder).sort()).toEqual(["0", "1", "2", "3"]);
  state.nowMs = 13_500;
  await copies.goBack(1_200);
  await copies.goBack(60_000);
  expect(restored).toEqual(["2", "0"]);
});

it("keeps no copies that are older than anybody asks for, but the newest of them", async () => {
  const { copies, copyAt, restored } = scripted(1_500);
  using _ = copies;
  copyAt(11_000, 12_000, 13_000);
  expect(readdirSync(folder).sort()).toEqual(["1", "2", "3"]);
  await copies.goBack(1_500);
  expect(restored).toEqual(["1"]);
});

it("keeps a copy while it is being put back", async () => {
  const { copies, copyAt, restored, state } = scripted(1_500);
  using _ = copies;
  copyAt(11_000);
  let stopped = (): void => undefined;
  state.isStopped = new Promise((resolve) => {
    stopped = resolve;
  });
  const restoring = copies.goBack(1_000);
  copyAt(12_000, 13_000);
  stopped();
  await restoring;
  expect(restored).toEqual(["0"]);
  copyAt(14_000);
  expect(readdirSync(folder).sort()).toEqual(["2", "3", "4"]);
});

it("does without a copy that could not be made", async () => {
  const { copies, copyAt, restored, state } = scripted(60_000);
  using _ = copies;
  state.isCopied = false;
  copyAt(11_000, 12_000);
  expect(readdirSync(folder)).toEqual(["0"]);
  await copies.goBack(0);
  expect(restored).toEqual(["0"]);
});

it("removes all copies when it is disposed of", () => {
  scripted(60_000).copies[Symbol.dispose]();
  expect(() => readdirSync(folder)).toThrow("ENOENT");
});
