import { decode, scalarCodecOf } from "../codec.ts";
import { type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { verifySchnorr } from "../proofs/schnorr.ts";
import type { Secret } from "../secret.ts";
import { peersOf } from "../session/config.ts";
import type { Inbox, Round } from "../session/round.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import { keyConfirmation } from "./confirmation.ts";
import type { KeyShare, PublicKeyInfo } from "./key-share.ts";
import { round4 } from "./round4.ts";
import { type KeyGenerationRun, keygenContext } from "./run.ts";

/** The key after all shares are dealt, before any party has proved or confirmed anything. */
export interface DealtKey<P> {
  /** x_i */
  readonly secretShare: Secret<bigint>;
  /** Y */
  readonly publicKey: P;
  /** X_j */
  readonly publicShares: ReadonlyMap<PartyIndex, P>;
  readonly rid: Uint8Array;
  readonly chainCode: Uint8Array;
  /** A_j: the commitment that each party's proof must use */
  readonly schnorr: ReadonlyMap<PartyIndex, P>;
}

/** Verifies ψ_j: knowledge of x_j, with the A_j to which the party committed before rid was known. */
const checkProof = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  dealt: DealtKey<P>,
  inbox: Inbox,
  from: PartyIndex,
): FaultStep | undefined => {
  const { curve } = run.scheme;
  const response = decode(scalarCodecOf(curve), inbox.broadcast(from));
  if (!response.ok) return accuse(from, `keygen/3 decoding: ${response.reason}`);
  const point = dealt.publicShares.get(from);
  const commitment = dealt.schnorr.get(from);
  const isProven =
    point !== undefined &&
    commitment !== undefined &&
    verifySchnorr(
      curve,
      keygenContext(run, from),
      { point, salt: dealt.rid },
      { commitment, response: response.value },
    );
  return isProven ? undefined : accuse(from, "keygen/3 Πsch");
};

/** The public part of the generated key. */
export const keyInfoOf = <P extends GroupPoint<P>>(
  { scheme, keyId, threshold, parties, epoch }: Omit<KeyGenerationRun<P>, "self">,
  { publicKey, publicShares, chainCode }: Omit<DealtKey<P>, "secretShare">,
): PublicKeyInfo<P> => ({ scheme, keyId, threshold, parties, publicKey, publicShares, chainCode, epoch });

/**
 * Round 3: verifies every party's proof that it knows its share. Then this party sends all a confirmation of
 * its key.
 */
export const round3 = <P extends GroupPoint<P>>(
  run: KeyGenerationRun<P>,
  dealt: DealtKey<P>,
): Round<KeyShare<P>> => ({
  number: 3,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: SCALAR_BYTES },
  advance: (inbox) => {
    for (const peer of peersOf(run)) {
      const fault = checkProof(run, dealt, inbox, peer);
      if (fault !== undefined) return fault;
    }
    const share = { info: keyInfoOf(run, dealt), self: run.self, secretShare: dealt.secretShare };
    const payload = keyConfirmation(run.session, share.info);
    return { kind: "next", messages: [{ to: "all", payload }], round: round4(run, share, payload) };
  },
});
