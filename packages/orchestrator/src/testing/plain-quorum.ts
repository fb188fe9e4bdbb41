import type { TestAccount } from "@conclave/chains/testing";
import type { SchemeSignature, Signable } from "@conclave/custody";
import type { SigningQuorum } from "../signing-quorum.ts";

export interface PlainQuorum extends SigningQuorum {
  /** signatures that were made */
  readonly signatures: () => number;
  /** from now on too few signers live, for this reason; undefined brings them back */
  away(reason: string | undefined): void;
}

/** Signs at once with one plain key: where steps are under test that only need a signature. */
export const plainQuorum = (
  account: TestAccount,
  signOne: (signable: Signable) => SchemeSignature = ({ bytes }) => account.sign(bytes),
): PlainQuorum => {
  let signatures = 0;
  let reason: string | undefined;
  return {
    signatures: () => signatures,
    away: (why) => {
      reason = why;
    },
    shortage: () => reason,
    sign: async ({ signables }) => {
      signatures += 1;
      const made = signables.map(signOne);
      return {
        kind: "done",
        value: { signatures: made, quorum: [1, 2, 3], attempts: 1, path: { kind: "interactive" } },
      };
    },
  };
};
