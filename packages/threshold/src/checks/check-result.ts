import { type Codec, convert, countedList, integer, struct, text } from "../codec.ts";
import type { Parameters } from "../parameters.ts";
import { Secret } from "../secret.ts";
import type { CheckResult } from "../session/round.ts";

const CHECK_BYTES_MAX = 64;
/** At most two values: α and α^. */
const FOUND_MAX = 2;

/** The result of a check that finds no values. @param flaw the name of the failed check; undefined if it passed */
export const standsUnless = (flaw: string | undefined): CheckResult =>
  flaw === undefined ? { kind: "stands", found: new Secret([]) } : { kind: "fails", check: flaw };

interface Form {
  /** empty when the check passed */
  readonly check: string;
  readonly found: readonly bigint[];
}

/** Encodes the result of a check for other threads of one signer, with the found values in plain. */
export const checkResultCodec = ({ primeBits }: Parameters): Codec<CheckResult> =>
  convert<Form, CheckResult>(
    struct<Form>({ check: text(CHECK_BYTES_MAX), found: countedList(integer(2 * primeBits), FOUND_MAX) }),
    ({ check, found }) => {
      if (check === "") return { kind: "stands", found: new Secret(found) };
      return found.length === 0 ? { kind: "fails", check } : undefined;
    },
    (result) =>
      result.kind === "stands"
        ? { check: "", found: result.found.reveal() }
        : { check: result.check, found: [] },
    "not a verdict",
  );
