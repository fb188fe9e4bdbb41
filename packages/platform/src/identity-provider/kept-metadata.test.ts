import { beforeEach, describe, expect, it } from "vitest";
import { keptMetadata } from "./kept-metadata.ts";

const HOUR_MS = 3_600_000;

let nowMs: number;
let reads: number;
let answer: () => Promise<string>;
let metadata: () => Promise<string>;
beforeEach(() => {
  [nowMs, reads] = [0, 0];
  answer = async () => `read ${reads}`;
  metadata = keptMetadata(
    () => {
      reads += 1;
      return answer();
    },
    { nowMs: () => nowMs },
  );
});
const away = () => Promise.reject(new Error("away"));

describe("a provider's metadata", () => {
  it("is read once for all who wait, and again after an hour, while the older serves", async () => {
    expect(await Promise.all([metadata(), metadata()])).toEqual(["read 1", "read 1"]);
    nowMs = HOUR_MS - 1;
    expect(await metadata()).toBe("read 1");
    nowMs = HOUR_MS;
    expect(await metadata()).toBe("read 1");
    await expect.poll(() => metadata()).toBe("read 2");
  });

  it("serves on while it cannot be read again, which is tried every five seconds", async () => {
    await metadata();
    answer = away;
    nowMs = HOUR_MS;
    expect([await metadata(), await metadata()]).toEqual(["read 1", "read 1"]);
    await expect.poll(() => metadata().then(() => reads)).toBe(2);
    nowMs += 5_000;
    expect(await metadata()).toBe("read 1");
    expect(reads).toBe(3);
  });

  it("that was never read is asked for once in five seconds, and nobody waits between", async () => {
    answer = away;
    await expect(metadata()).rejects.toThrow("away");
    await expect(metadata()).rejects.toThrow("away");
    expect(reads).toBe(1);
    nowMs = 5_000;
    answer = async () => "back";
    expect(await metadata()).toBe("back");
  });
});
