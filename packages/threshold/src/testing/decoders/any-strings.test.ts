import { equalBytes } from "@noble/curves/utils.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Decoder, titleOf } from "./decoder.ts";
import { EVERY_DECODER } from "./every-decoder.ts";
import { bentString, Dice, randomString } from "./strings.ts";

/** strings for each decoder, those made from honest messages included */
const STRINGS = 100_000;
/** another seed gives other strings: CONCLAVE_FUZZ_SEED=anything */
const SEED = process.env["CONCLAVE_FUZZ_SEED"] ?? "conclave";

/** What is wrong with how a decoder takes a string; undefined when nothing is. */
const flawOf = (decoder: Decoder, bytes: Uint8Array): string | undefined => {
  try {
    const recoded = decoder.recode(bytes);
    return !recoded.ok || equalBytes(recoded.value, bytes) ? undefined : "encodes to other bytes again";
  } catch (error) {
    return `throws ${error}`;
  }
};

const feed = (decoder: Decoder): void => {
  const dice = new Dice(`${SEED}/${titleOf(decoder)}`);
  for (let count = 0; count < STRINGS; count++) {
    const bytes = count < decoder.bent ? bentString(dice, decoder) : randomString(dice, decoder);
    const flaw = flawOf(decoder, bytes);
    if (flaw === undefined) continue;
    const hex = Buffer.from(bytes).toString("hex");
    expect.fail(`${titleOf(decoder)} ${flaw}; seed ${SEED}, string ${count}: ${hex}`);
  }
};

describe(`P13 P20 given ${STRINGS} strings`, () => {
  // every refusal is an Error inside: without their stacks this takes half as long
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test.each(EVERY_DECODER.map((decoder) => [titleOf(decoder), decoder] as const))(
    "%s never throws, and what it takes it gives back byte by byte",
    (_, decoder) => {
      for (const sample of decoder.samples)
        expect(decoder.recode(sample)).toEqual({ ok: true, value: sample });
      feed(decoder);
    },
  );
});
