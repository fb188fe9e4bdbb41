import { fail, ok, problem, type Result } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { isObserved } from "../../compute/observed-digest.ts";
import type { SignerEvent } from "../event.ts";
import { lookUp } from "../records/persistent-map.ts";
import type { AuxiliaryRecord, KeyRecord } from "../records/record.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type SignerState, type SignerStep } from "../state.ts";
import { beginPooledSigning } from "./begin-pooled-signing.ts";
import { understand } from "./understand.ts";

type BeginSigning = Extract<SignerEvent, { readonly kind: "begin-signing" }>;

/** Begins to sign what the authority authorised, once this signer has read it whole (INV-3, INV-8). */
export const beginSigning = (state: SignerState, event: BeginSigning, nowMs: number): SignerStep => {
  const { call, session: given } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const purpose = understand(state, event, nowMs);
  if (!purpose.ok) return refuse(state, call, purpose.problem);
  const material = materialFor(state, event.keyId);
  if (!material.ok) return refuse(state, call, material.problem);
  const quorum = quorumOf(state, event.quorum, nowMs);
  if (!quorum.ok) return refuse(state, call, quorum.problem);

  const { key, auxiliary } = material.value;
  const signers = quorum.value;
  const { presignature } = event;
  if (presignature !== undefined) {
    const { digest } = purpose.value;
    // who knows the nonce and then chooses the digest forges a signature of something else
    if (!isObserved(digest)) return refuse(state, call, problem("RawDigestRefused"));
    const understood = { purpose: { ...purpose.value, digest }, key, auxiliary, signers };
    return beginPooledSigning(state, { ...event, presignature }, understood, nowMs);
  }
  const run = runKey(state.config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol: "signing",
    keyId: event.keyId,
    epoch: key.epoch,
    parties: signers,
    agreed: [purpose.value.digest.bytes, key.publicKey, auxiliary.digest],
  });
  const session = newSession({ ...event, run, parties: signers, purpose: purpose.value, stage: "presign" });
  return andThen(begin(state, session), (begun) =>
    openInHost(begun, session, {
      kind: "open-presigning",
      purpose: "request",
      signers,
      key: key.share,
      auxiliary: auxiliary.info,
    }),
  );
};

interface Material {
  readonly key: KeyRecord;
  readonly auxiliary: AuxiliaryRecord;
}

/** What signs transactions under a key: its active share, which is one for ECDSA, and the auxiliary info. */
export const materialFor = (state: SignerState, keyId: string): Result<Material> => {
  const key = lookUp(state.keys, keyId);
  if (key?.state !== "active") return fail("KeyUnknown");
  if (key.scheme !== "CGGMP24") return fail("KeySchemeMismatch");
  return state.auxiliary === undefined ? fail("AuxiliaryMissing") : ok({ key, auxiliary: state.auxiliary });
};

/** Exactly t distinct members of the roster, ascending, ourselves among them, none in quarantine. */
export const quorumOf = (
  { config, quarantine }: SignerState,
  asked: readonly number[],
  nowMs: number,
): Result<readonly PartyIndex[]> => {
  const members = [...config.roster.keys()].filter((index) => asked.includes(index)).sort((a, b) => a - b);
  const isExact = asked.length === config.threshold && members.every((index, at) => asked[at] === index);
  if (!isExact || members.length !== config.threshold || !members.includes(config.self)) {
    return fail("QuorumInvalid");
  }
  const blamed = members.find((index) => (quarantine.get(index) ?? 0) > nowMs);
  return blamed === undefined ? ok(members) : fail("PeerFault", { culprit: blamed });
};
