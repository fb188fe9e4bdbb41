import { bytesToNumberBE, equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decode, scalarCodec, scalarCodecOf } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { Commitment } from "../frost/commitments.ts";
import { commitmentMessageCodec } from "../frost/round1.ts";
import { requestOf } from "../frost/run.ts";
import { isSignatureShare, shareChallenge } from "../frost/signature-share.ts";
import { invertScalar, multiplyPublic, scalar } from "../group.ts";
import { revealCodec } from "../presign/messages.ts";
import { presignatureId } from "../presign/presignature.ts";
import type { Scheme } from "../scheme.ts";
import type { SessionId } from "../session/envelope.ts";
import { isEnvelope } from "../session/signed-message.ts";
import { nonceScalar } from "../sign/nonce-scalar.ts";
import { isPartialSignature, SIGNING_ROUND } from "../sign/round1.ts";
import { agreedDigest, agreedMerkleRoot, agreedPresignature } from "./agreed-values.ts";
import { keyOf } from "./key-material.ts";
import {
  agreedBroadcasts,
  agreedIn,
  broadcastOf,
  isSignedFor,
  notShown,
  type SignedRecord,
} from "./signed-record.ts";

/** The session that made the presignature: this one, or an earlier one whose presignature this one spends. */
const presigningSession = ({ attempt, session, material }: SignedRecord): SessionId => {
  if (attempt.protocol === "signing") return session;
  const [first] = material.presigning;
  if (first === undefined)
    return notShown("the presignature was made by an older version, and nobody testified to it");
  const of = isEnvelope(first) ? first.session : first.header.session;
  const isSpent = equalBytes(presignatureId(of), agreedPresignature(attempt));
  return isSpent ? of : notShown("the testimony is about another presignature");
};

/** Γ, and Δ~ and S~ of the accused, as it signed them when the presignature was made. */
const noncesOf = (record: SignedRecord) => {
  const { material, roster, attempt, accused } = record;
  const { parties } = attempt;
  const session = presigningSession(record);
  const messages = material.presigning;
  if (!messages.every((message) => isSignedFor(roster, parties, session, message))) {
    return notShown("the testimony is of another presigning, or not signed by its parties");
  }
  const said = agreedBroadcasts({ messages, accused, parties }, 3);
  const reveals = new Map(
    [...said].map(([party, payload]) => {
      const reveal = decode(revealCodec, payload);
      return [party, reveal.ok ? reveal.value : notShown(`the testimony of party ${party} is malformed`)];
    }),
  );
  const own = reveals.get(accused) ?? notShown("the accused did not testify");
  const delta = scalar([...reveals.values()].reduce((sum, each) => sum + each.delta, 0n));
  if (delta === 0n) return notShown("there was no presignature: δ is zero");
  const inverse = invertScalar(delta);
  const publics = { k: multiplyPublic(own.Delta, inverse), chi: multiplyPublic(own.S, inverse) };
  return { Gamma: own.Gamma, publics };
};

/** Checks σ_j·Γ = m·Δ~_j + r·S~_j, with the Γ, Δ~_j and S~_j that the accused signed when the presignature was made. */
export const partialSignatureFault = (record: SignedRecord): string | undefined => {
  const { attempt, accused } = record;
  const sigma = decode(scalarCodec, broadcastOf(record, SIGNING_ROUND, accused));
  if (!sigma.ok) return `sign/1 decoding: ${sigma.reason}`;
  const m = scalar(bytesToNumberBE(agreedDigest(attempt)));
  const { Gamma, publics } = noncesOf(record);
  const r = nonceScalar(Gamma) ?? notShown("there was no presignature: Γ gives no nonce");
  return isPartialSignature(Gamma, sigma.value, m, r, publics) ? undefined : "sign/1 σ·Γ = m·Δ~ + r·S~";
};

/** The check that the accused fails in a round of FROST; undefined when it passes. */
export const frostFault = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  record: SignedRecord,
  round: number,
): string | undefined => {
  const suite = scheme.frost ?? notShown("the key is for no FROST scheme");
  const { curve } = suite;
  const { accused, attempt, material, session } = record;
  const { parties: signers } = attempt;
  const merkleRoot = agreedMerkleRoot(attempt);
  const key = () => keyOf(record, scheme);
  const codec = commitmentMessageCodec(curve);
  const commitmentOf = (party: Commitment<P>["party"], payload: Uint8Array): Commitment<P> => {
    const said = decode(codec, payload);
    const hiding = said.ok ? curve.parseCleared(said.value.hiding) : undefined;
    const binding = said.ok ? curve.parseCleared(said.value.binding) : undefined;
    if (hiding === undefined || binding === undefined) return notShown(`party ${party} made no commitment`);
    return { party, hiding, binding };
  };
  const message = (): Uint8Array =>
    equalBytes(sha256(material.message), agreedDigest(attempt))
      ? material.message
      : notShown("the message is not that of the session");

  if (round === 1) {
    const said = decode(codec, broadcastOf(record, 1, accused));
    if (!said.ok) return `frost/1 decoding: ${said.reason}`;
    const { request, hiding, binding } = said.value;
    const expected = requestOf({ session, signers, key: { info: key() }, message: message(), merkleRoot });
    if (!equalBytes(request, expected)) return "frost/1 request";
    if (curve.parseCleared(hiding) === undefined) return "frost/1 D is a point of the group";
    return curve.parseCleared(binding) === undefined ? "frost/1 E is a point of the group" : undefined;
  }
  if (round !== 2) return notShown("FROST has no such round");
  const z = decode(scalarCodecOf(curve), broadcastOf(record, 2, accused));
  if (!z.ok) return `frost/2 decoding: ${z.reason}`;
  const list = [...agreedIn(record, 1)].map(([party, payload]) => commitmentOf(party, payload));
  const info = key();
  const signingKey = suite.signingKey(info.publicKey, merkleRoot);
  const challenge = shareChallenge(suite, signingKey, list, message());
  if (challenge === undefined) return notShown("R is the identity: nobody signed");
  const publicShare = info.publicShares.get(accused) ?? notShown("the accused holds no share of the key");
  return isSignatureShare(challenge, accused, publicShare, z.value)
    ? undefined
    : "frost/2 z·G = ±(D + ρ·E) + λ·c·S";
};
