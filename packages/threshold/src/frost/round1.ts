import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, decode, encode, fixedBytes, scalarCodecOf, struct } from "../codec.ts";
import type { Curve, GroupPoint } from "../curve.ts";
import type { Secret } from "../secret.ts";
import type { Round } from "../session/round.ts";
import { abort, accuse } from "../session/steps.ts";
import type { Commitment } from "./commitments.ts";
import type { Nonces } from "./nonce.ts";
import { round2 } from "./round2.ts";
import { type FrostRun, REQUEST_BYTES } from "./run.ts";
import { shareChallenge, signatureShare } from "./signature-share.ts";

/** The broadcast of round 1: a hash of the signing request, and the nonce commitments divided by h. */
export interface CommitmentMessage {
  readonly request: Uint8Array;
  /** the bytes of (d/h)·G */
  readonly hiding: Uint8Array;
  /** the bytes of (e/h)·G */
  readonly binding: Uint8Array;
}

export const commitmentMessageCodec = <P extends GroupPoint<P>>({
  pointBytes,
}: Curve<P>): Codec<CommitmentMessage> =>
  struct<CommitmentMessage>({
    request: fixedBytes(REQUEST_BYTES),
    hiding: fixedBytes(pointBytes),
    binding: fixedBytes(pointBytes),
  });

/** The exact length of a broadcast of round 1. */
export const commitmentMessageBytes = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>): number =>
  REQUEST_BYTES + 2 * pointBytes;

/**
 * Round 1: receives the commitments of all signers. The echo makes them agree, so that either all sign for
 * one list and one message, or none does (P21). Then this signer computes its z_i, which takes the nonces
 * before anything is sent (INV-2).
 *
 * A peer that names another request than ours is accused. The session id binds the whole request (run.ts), so
 * honest signers with different requests are never in one session, and only a cheat names another request
 * here (INV-7).
 *
 * @param nonces of this run alone; a second call finds them taken, and throws
 */
export const round1 = <P extends GroupPoint<P>>(
  run: FrostRun<P>,
  own: Commitment<P>,
  nonces: Secret<Nonces>,
): Round<Uint8Array> => {
  const { suite, self, signers, peers, key, signingKey, message } = run;
  const { curve } = suite;
  const codec = commitmentMessageCodec(curve);
  return {
    number: 1,
    expects: { broadcast: "echo", direct: "none", payloadBytesMax: commitmentMessageBytes(curve) },
    advance: (inbox) => {
      const commitments = new Map([[self, own]]);
      for (const peer of peers) {
        const said = decode(codec, inbox.broadcast(peer));
        if (!said.ok) return accuse(peer, `frost/1 decoding: ${said.reason}`);
        if (!equalBytes(said.value.request, run.request)) return accuse(peer, "frost/1 request");
        const hiding = curve.parseCleared(said.value.hiding);
        const binding = curve.parseCleared(said.value.binding);
        if (hiding === undefined) return accuse(peer, "frost/1 D is a point of the group");
        if (binding === undefined) return accuse(peer, "frost/1 E is a point of the group");
        commitments.set(peer, { party: peer, hiding, binding });
      }

      const list = signers.flatMap((signer) => commitments.get(signer) ?? []);
      const challenge = shareChallenge(suite, signingKey, list, message);
      if (challenge === undefined) return abort("frost/1 R is the identity"); // P9
      const z = signatureShare(challenge, self, key.secretShare.reveal(), nonces.take());
      const payload = encode(scalarCodecOf(curve), z);
      return { kind: "next", messages: [{ to: "all", payload }], round: round2(run, challenge, z) };
    },
  };
};
