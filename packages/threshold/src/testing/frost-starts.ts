import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { startFrostSigning } from "../frost/frost-signing.ts";
import type { FrostSigningConfig } from "../frost/run.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import type { Start } from "../session/round.ts";
import { testSessionId } from "./session-network.ts";

export interface TestFrostSigning<P extends GroupPoint<P>> {
  /** dealt or generated, by party */
  readonly shares: ReadonlyMap<PartyIndex, KeyShare<P>>;
  readonly signers: readonly PartyIndex[];
  readonly message: Uint8Array;
  /** root of a Taproot key's script tree */
  readonly merkleRoot?: Uint8Array;
  /** seed of the session's id */
  readonly session?: string;
}

/** One signer's configuration. */
export const frostConfig = <P extends GroupPoint<P>>(
  { shares, signers, message, merkleRoot, session = "FROST" }: TestFrostSigning<P>,
  self: PartyIndex,
): FrostSigningConfig<P> => {
  const key = shares.get(self);
  if (key === undefined) throw new RangeError(`party ${self} has no share of the key`);
  return {
    session: testSessionId(session),
    self,
    signers,
    key,
    message,
    ...(merkleRoot === undefined ? {} : { merkleRoot }),
  };
};

/** The start of every signer. */
export const frostStarts = <P extends GroupPoint<P>>(
  signing: TestFrostSigning<P>,
): ReadonlyMap<PartyIndex, Start<Uint8Array>> =>
  new Map(signing.signers.map((self) => [self, startFrostSigning(frostConfig(signing, self))]));
