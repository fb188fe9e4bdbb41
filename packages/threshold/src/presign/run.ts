import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { lift, multiplyPublic, type Point } from "../group.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { requireSigners } from "../keygen/require-signers.ts";
import type { Parameters } from "../parameters.ts";
import { CGGMP24 } from "../scheme.ts";
import type { SessionId } from "../session/envelope.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";
import type { ProofContext } from "../transcript.ts";
import type { PresignMasks } from "./masks.ts";
import type { ProverContext } from "./prover-context.ts";

/** The configuration of startPresigning. */
export interface PresignConfig {
  /**
   * Binds the values that must be the same for all signers: the epoch of the key (keyDigest) and the
   * auxiliary info. So signers of different epochs are never in one session, where each would accuse the
   * other.
   */
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** exactly t of the key's parties, self included, ascending */
  readonly signers: readonly PartyIndex[];
  readonly key: KeyShare;
  readonly auxiliary: AuxiliaryInfo;
  /** precomputed for these moduli; missing masks are computed during the session */
  readonly masks?: PresignMasks;
}

/** The public values of another signer in a presigning. */
export interface Peer extends PeerAuxiliary {
  readonly index: PartyIndex;
  /** X_j := λ_j·X_j, the signer's part of the public key among these signers */
  readonly publicShare: Point;
}

/** The parameters of one presigning, known to all its rounds. */
export interface PresignRun {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** ascending, self included */
  readonly signers: readonly PartyIndex[];
  /** the other signers, ascending */
  readonly peers: readonly Peer[];
  readonly parameters: Parameters;
  readonly key: PublicKeyInfo;
  /** x_i := λ_i·x_i, lifted to (-q/2, q/2] (P18) */
  readonly share: bigint;
  readonly publicShare: Point;
  readonly own: OwnAuxiliary;
  readonly masks: PresignMasks;
}

const present = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new RangeError(`presigning lacks ${what}`);
  return value;
};

const requireFit = ({ self, signers, key, auxiliary }: PresignConfig): void => {
  const { scheme } = key.info;
  if (scheme.name !== CGGMP24.name) throw new RangeError(`a key of ${scheme.name} makes no ECDSA signatures`);
  if (auxiliary.self !== self) throw new RangeError("auxiliary info of another party");
  requireSigners(key, self, signers);
};

/**
 * Makes the run of a configuration: converts Shamir shares to additive shares among exactly these signers,
 * x_i := λ_i·x_i, and the public shares in the same way (Figure 8; digest 3.3).
 *
 * @throws RangeError when the quorum does not fit the key: a bug of the caller, because peers do not choose
 * it
 */
export const presignRun = (config: PresignConfig): PresignRun => {
  requireFit(config);
  const { session, self, signers, key, auxiliary } = config;
  const coefficients = lagrangeAtZero(SECP256K1, signers);
  const members = signers.map((index, at): Peer & { coefficient: bigint } => {
    const coefficient = present(coefficients[at], "a coefficient");
    const publicShare = present(key.info.publicShares.get(index), "a public share");
    const { paillier, pedersen } = present(auxiliary.peers.get(index), "a signer's auxiliary info");
    return { index, coefficient, paillier, pedersen, publicShare: multiplyPublic(publicShare, coefficient) };
  });
  const me = present(
    members.find(({ index }) => index === self),
    "self",
  );
  return {
    session,
    self,
    signers,
    peers: members.filter(({ index }) => index !== self),
    parameters: auxiliary.parameters,
    key: key.info,
    share: lift(me.coefficient * key.secretShare.reveal()),
    publicShare: me.publicShare,
    own: auxiliary.own.reveal(),
    masks: config.masks ?? { peers: new Map() },
  };
};

/** The position of `of` in a list of `owner`, which has one item for every signer except `owner`, ascending. */
export const positionIn = (signers: readonly PartyIndex[], owner: PartyIndex, of: PartyIndex): number =>
  signers.filter((signer) => signer !== owner).indexOf(of);

/** The context of a proof in this run (P11). */
export const contextOf = (
  run: PresignRun,
  prover: PartyIndex,
  verifier: PartyIndex | "all",
  position: string,
): ProofContext => ({ session: run.session, epoch: run.key.epoch, prover, verifier, position });

/** The context of all proofs of a peer to this party in this run, except their position. */
export const proverContextOf = (run: PresignRun, prover: PartyIndex): ProverContext => ({
  session: run.session,
  epoch: run.key.epoch,
  prover,
  verifier: run.self,
});
