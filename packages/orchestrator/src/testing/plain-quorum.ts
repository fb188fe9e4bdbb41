import type { TestAccount } from "@conclave/chains/testing";
import { sessionKey } from "@conclave/cluster";
import { partyIndex } from "@conclave/threshold";
import { keccak256 } from "viem";
import type { SigningQuorum } from "../chain-requests/sign.ts";

export interface PlainQuorum extends SigningQuorum {
  /** signatures that were made */
  readonly signatures: () => number;
  /** from now on too few signers live, for this reason; undefined brings them back */
  away(reason: string | undefined): void;
}

/** Signs at once with one plain key: where steps are under test that only need a signature. */
export const plainQuorum = (account: TestAccount): PlainQuorum => {
  let signatures = 0;
  let reason: string | undefined;
  const session = sessionKey(new Uint8Array(32));
  const quorum = [1, 2, 3].map(partyIndex).filter((index) => index !== undefined);
  if (session === undefined) throw new Error("32 bytes are a session id");
  return {
    signatures: () => signatures,
    away: (why) => {
      reason = why;
    },
    shortage: () => reason,
    sign: async ({ unsignedTransaction }) => {
      signatures += 1;
      const { r, s, recovery } = account.sign(keccak256(unsignedTransaction, "bytes"));
      const signature = { r, s, recovery: recovery === 0 ? 0 : 1 } as const;
      return {
        kind: "done",
        value: { signature, quorum, session, attempts: 1, path: { kind: "interactive" } },
      };
    },
  };
};
