import type { TestAccount } from "@conclave/chains/testing";
import { type SigningResult, sessionKey } from "@conclave/cluster";
import type { SchemeSignature, Signable } from "@conclave/custody";
import type { CoordinationOutcome } from "@conclave/platform/coordination";
import { partyIndex } from "@conclave/threshold";
import type { SigningPort } from "../signing-port.ts";

const QUORUM = [1, 2, 3].flatMap((index) => partyIndex(index) ?? []);

const sessionOf = (bytes: Uint8Array) => {
  const key = sessionKey(bytes);
  if (key === undefined) throw new Error("a session id has 32 bytes");
  return key;
};
const SESSION = sessionOf(new Uint8Array(32));

/** The outcome of a successful signing. */
export const signedBy = (signatures: readonly SchemeSignature[]): CoordinationOutcome<SigningResult> => ({
  kind: "done",
  value: { signatures, quorum: QUORUM, session: SESSION, attempts: 1, path: { kind: "interactive" } },
});

/** Signers that all answer that they have signed nothing. */
export const noneSigned: SigningPort["askSigned"] = () => ({
  of: 1,
  threshold: 1,
  remembering: 1,
  answers: [Promise.resolve({ isBound: false, isWhole: true, transactions: [] })],
});

export interface PlainSigners extends SigningPort {
  /** number of signatures made */
  readonly signatures: () => number;
  /** makes signing impossible for this reason, as if too few signers lived; undefined ends that */
  away(reason: string | undefined): void;
}

/** Signs at once with one whole key, for tests that only need a signature. */
export const plainSigners = (
  account: TestAccount,
  signOne: (signable: Signable) => SchemeSignature = ({ bytes }) => account.sign(bytes),
): PlainSigners => {
  let signatures = 0;
  let reason: string | undefined;
  return {
    signatures: () => signatures,
    away: (why) => {
      reason = why;
    },
    shortage: () => reason,
    isBegun: () => false,
    askSigned: noneSigned,
    sign: async ({ signables }) => {
      signatures += 1;
      const made = signables.map(signOne);
      return signedBy(made);
    },
  };
};
