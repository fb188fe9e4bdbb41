import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import type { TestCluster } from "../cluster.ts";

/** A command to sign, without presignatures, that each signer of the quorum receives. */
interface AskedToSign {
  /** name of the session */
  readonly name: string;
  readonly quorum: readonly number[];
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  readonly unsigned: Uint8Array;
  /** Unix milliseconds, by the signers' clocks */
  readonly expiresAtMs: number;
}

/**
 * Sends each signer of a quorum a command to sign, and waits. @returns the last report of each: the code of a refusal,
 * or its kind
 */
export const askToSign = (
  cluster: TestCluster,
  { name, ...asked }: AskedToSign,
): readonly (string | undefined)[] => {
  const calls = asked.quorum.map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: testSessionId(name),
      ...asked,
      presignatures: [],
      dead: undefined,
    })),
  );
  cluster.rest(500);
  return calls.map(({ heard }) => {
    const word = heard.at(-1);
    return word?.kind === "refusal" ? word.problem.code : word?.kind;
  });
};
