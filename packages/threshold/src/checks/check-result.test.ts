import { expect, test } from "vitest";
import { countedList, decode, encode, integer, struct, text } from "../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { checkResultCodec } from "./check-result.ts";

/** Bytes of a result that no honest thread writes. */
const said = (check: string, found: readonly bigint[]): Uint8Array =>
  encode(
    struct<{ readonly check: string; readonly found: readonly bigint[] }>({
      check: text(64),
      found: countedList(integer(2 * parameters.primeBits), 2),
    }),
    { check, found },
  );

test("P13 a verdict has found values or a failed check, and not both", () => {
  const codec = checkResultCodec(parameters);
  expect(decode(codec, said("presign/2 α", []))).toEqual({
    ok: true,
    value: { kind: "fails", check: "presign/2 α" },
  });
  expect(decode(codec, said("", [1n]))).toMatchObject({ ok: true, value: { kind: "stands" } });
  expect(decode(codec, said("presign/2 α", [1n])).ok).toBe(false);
});
