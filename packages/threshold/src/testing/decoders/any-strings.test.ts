import { equalBytes } from "@noble/curves/utils.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Reader, titleOf } from "./decoder.ts";
import { EVERY_DECODER, EVERY_OTHER_READER } from "./every-decoder.ts";
import { bentString, Dice, randomString } from "./strings.ts";

/**
 * strings for each reader: first those made from honest messages, then random ones; `make fuzz` uses ten
 * times as many
 */
const STRINGS = Number(process.env["CONCLAVE_FUZZ_STRINGS"] ?? 10_000);
/** `make fuzz` draws a seed for each run, so it tests strings that no earlier run had */
const SEED = process.env["CONCLAVE_FUZZ_SEED"] ?? "conclave";

/** The flaw in a reader's handling of a string; undefined when there is none. */
const flawOf = (reader: Reader, bytes: Uint8Array): string | undefined => {
  try {
    const recoded = reader.recode(bytes);
    return !recoded.ok || equalBytes(recoded.value, bytes) ? undefined : "encodes to other bytes again";
  } catch (error) {
    return `throws ${error}`;
  }
};

const feed = (reader: Reader): void => {
  const dice = new Dice(`${SEED}/${titleOf(reader)}`);
  for (let count = 0; count < STRINGS; count++) {
    const bytes = count < reader.bent ? bentString(dice, reader) : randomString(dice, reader);
    const flaw = flawOf(reader, bytes);
    if (flaw === undefined) continue;
    const hex = Buffer.from(bytes).toString("hex");
    expect.fail(`${titleOf(reader)} ${flaw}; seed ${SEED}, string ${count}: ${hex}`);
  }
};

describe(`P13 P20 given ${STRINGS} strings of seed ${SEED}`, () => {
  // every refusal is an Error internally: without stack traces this takes half the time
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test("there are random strings beside those made from honest messages", () => {
    for (const { bent } of [...EVERY_DECODER, ...EVERY_OTHER_READER]) expect(STRINGS).toBeGreaterThan(bent);
  });

  test.each([...EVERY_DECODER, ...EVERY_OTHER_READER].map((reader) => [titleOf(reader), reader] as const))(
    "%s never throws, and what it takes it gives back byte by byte",
    (_, reader) => {
      for (const sample of reader.samples) expect(reader.recode(sample)).toEqual({ ok: true, value: sample });
      feed(reader);
    },
  );
});
