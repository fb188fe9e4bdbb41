import type { PartyIndex } from "../fault.ts";
import type { Point } from "../group.ts";
import { startPresigning } from "../presign/presign.ts";
import { type Presignature, presignatureId } from "../presign/presignature.ts";
import { Secret } from "../secret.ts";
import { presignConfig } from "./presigning.ts";
import { runSessions, testConfigs, testSessionId } from "./session-network.ts";

/** Presignatures that real sessions made, with all signers' signed testimony. */
export interface TestifiedPresignatures {
  /** INSECURE: a fresh copy on every call */
  readonly presignatures: (self: PartyIndex) => Presignature;
  readonly publicKey: Point;
  /** presignatureId */
  readonly id: Uint8Array;
}

/** INSECURE: runs one presigning among all parties, in real sessions. */
export const testifiedPresignatures = (
  signers: readonly PartyIndex[],
  session = "testified presigning",
): TestifiedPresignatures => {
  const size = { t: signers.length, n: signers.length, signers };
  const { outcomes } = runSessions({
    configs: testConfigs(signers, testSessionId(session)),
    start: ({ self, session: of }) => startPresigning({ ...presignConfig(size, self), session: of }),
    seed: session,
  });
  const made = new Map<PartyIndex, Presignature>();
  for (const [self, outcome] of outcomes) {
    if (outcome.kind !== "output") throw new Error(`party ${self} made no presignature`);
    made.set(self, outcome.output);
  }
  const presignatures = (self: PartyIndex): Presignature => {
    const presignature = made.get(self);
    if (presignature === undefined) throw new RangeError(`party ${self} does not sign`);
    return { ...presignature, secret: new Secret(presignature.secret.reveal()) };
  };
  const [first] = made.values();
  if (first === undefined) throw new RangeError("nobody signs");
  return { presignatures, publicKey: first.publicKey, id: presignatureId(first.session) };
};
