import { encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Round, Step } from "../session/round.ts";
import { abort, accuse } from "../session/steps.ts";
import type { CommitmentSecrets } from "./commitment-secrets.ts";
import { type Disputed, findCulprit, type Member } from "./judgement.ts";
import { type DisputeOpening, disputeOpeningCodec, payloadBytesMax, readDisputeOpening } from "./messages.ts";
import { openingOf } from "./opening.ts";
import type { Presignature } from "./presignature.ts";
import type { PresignRun } from "./run.ts";

const membersOf = (run: PresignRun): readonly Member[] => {
  const { self, publicShare, own } = run;
  const me: Member = { index: self, paillier: own.paillier.publicKey, publicShare };
  return [...run.peers, me].toSorted((a, b) => a.index - b.index);
};

/**
 * Opens the dispute about a failed joint check: every signer opens its secrets of this presigning, and the
 * signer that made the check fail is named. This replaces the paper's Figure 9 and section 4.3.1, in which
 * every signer proves its sum in zero knowledge (Πaff-g*, Πdec: hundreds of powers modulo N² for each
 * signer). Opening a discarded presigning instead is from GG20 (ePrint 2020/540, identification of an abort
 * in its phases 5 and 6).
 *
 * Signer i opens k_i and γ_i; for every ciphertext D_ij (D^_ij, when the check of the key failed) that j made
 * for i, its plaintext α_ij and randomness; and for every F_ij that i itself made, its plaintext -β_ij and
 * randomness. Every signer checks γ_i·G = Γ_i, k_i·Γ = Δ_i and the ciphertexts, and then, with k = Σ k_j and
 * γ = Σ γ_j,
 *
 *   δ_i·G = Δ_i + Σ_j (k_j·Γ_i - (α_ji + β_ji)·G)    (this is γ_i·k_i + Σ_j (α_ij + β_ij) with α_ij = γ_j·k_i - β_ji, times G)
 *   S_i = γ·(k·X_i + Σ_j (α^_ij - α^_ji)·G)          (this is χ_i·Γ, for X_i = x_i·G weighted by Lagrange)
 *
 * The first equation uses nothing that i opens. So when δ fails, a cheat that does not open is named as soon
 * as all others have opened. The second equation needs the opening of i: it uses γ_i, and opening β^_ji in
 * its place would reveal x_j.
 *
 * Openings are unique. γ_i and k_i are the logarithms of Γ_i and Δ_i, which Πelog bound to the commitments of
 * round 1. A plaintext is fixed mod N_i, because gcd(N_i, φ(N_i)) = 1 by Πmod, and signers accept only its
 * representative in (-N_i/2, N_i/2), which decryption returns. This is the range of all plaintexts, not of
 * those that Πaff-g allows: the equations need no more, and a receiver must not be blamed for the slack of
 * its sender's proof.
 *
 * An honest signer i always passes (INV-7). The ciphertexts made for it open to the values that it decrypted.
 * The ciphertext that it sent to j encrypts γ_i·k_j - β_ij for the k_j of K_j, over the integers, far below
 * N_j/2; Πenc-elg of K_j, which i verified, proves that this k_j is the one of Δ_j, whatever j opens; and j
 * can open α_ji in one way only. The same holds for x_i. And i decrypted γ_j·k_i - β_ji with the β_ji of
 * F_ji, by the Πaff-g that it verified, and j can open F_ji in one way only. All signers judge the same Γ_j,
 * D_ij, δ_j, S_j and Δ_j, because rounds 2 and 3 are echoed. Round 4 needs no echo: because openings are
 * unique, two openings that pass at two judges are the same.
 *
 * Some signer always fails. Summed over all i, the α and β cancel; so if all equations held, δ·G = Σ Δ_j and
 * Σ S_i = γ·k·X would hold, and the latter is δ·X = Σ S_j: the checks that failed. If all signers but one are
 * honest, it is that one that fails, whether or not it opens. So if all peers pass, our own arithmetic is
 * wrong, and the run aborts.
 *
 * Opening is safe. Round 3 is echoed, so either all honest signers have an output or all dispute: a signer
 * that opens never signs, and no signature has this nonce. The opening reveals nothing of x_i: x_i·k_j in
 * α^_ji is masked by β^_ij, which is longer by ℓ′ - 2ℓ - ε bits and stays secret. The randomness is
 * ρ_i^γ_j·s_ij, uniform because of s_ij; a peer that chose its s_ij learns a root of K_i, whose content is
 * opened anyway, and no other root, because Πaff-g proves that the peer knew s_ij.
 */
export const openDispute = (
  run: PresignRun,
  secrets: Pick<CommitmentSecrets, "k" | "gamma">,
  facts: Omit<Disputed, "members">,
): Step<Presignature> => {
  const own = openingOf(run, secrets, facts.conversions, facts.product);
  const payload = encode(disputeOpeningCodec(run.parameters, run.peers.length), own);
  const disputed: Disputed = { ...facts, members: membersOf(run) };
  return { kind: "next", messages: [{ to: "all", payload }], round: round4(run, disputed, own) };
};

/** Round 4: receives the openings, and names the culprit as soon as they show it. It never has an output. */
const round4 = (run: PresignRun, disputed: Disputed, own: DisputeOpening): Round<Presignature> => ({
  number: 4,
  expects: {
    broadcast: "plain",
    direct: "none",
    payloadBytesMax: payloadBytesMax(run.parameters, run.peers.length).round4,
  },
  // S_j can be judged only when all openings have arrived; δ_j already when those of all others have. A
  // judgement costs work for every pair of signers, so one is made when a single opening is missing, and not
  // at each arrival
  early: (heard) =>
    disputed.product === "nonce" && heard.size >= run.peers.length - 1
      ? judge(run, disputed, own, heard)
      : undefined,
  advance: (inbox) => {
    const heard = new Map(run.peers.map(({ index }) => [index, inbox.broadcast(index)] as const));
    return judge(run, disputed, own, heard) ?? abort("presign/4 all peers' openings stand");
  },
});

/** Accuses the culprit that the received openings show; undefined while they show none. */
const judge = (
  run: PresignRun,
  disputed: Disputed,
  own: DisputeOpening,
  heard: ReadonlyMap<PartyIndex, Uint8Array>,
): Step<never> | undefined => {
  const openings = new Map<PartyIndex, DisputeOpening>([[run.self, own]]);
  for (const { index } of run.peers) {
    const payload = heard.get(index);
    if (payload === undefined) continue;
    const opening = readDisputeOpening(run.parameters, run.peers.length, payload);
    if (!opening.ok) return accuse(index, `presign/4 decoding: ${opening.reason}`);
    openings.set(index, opening.value);
  }
  const peers = run.peers.map(({ index }) => index);
  const accusation = findCulprit(disputed, openings, peers);
  return accusation && accuse(accusation.culprit, accusation.check);
};
