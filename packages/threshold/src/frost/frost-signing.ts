import { encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import { keyMaterial } from "../keygen/key-share.ts";
import { Secret } from "../secret.ts";
import type { Material } from "../session/material.ts";
import type { Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";
import type { Commitment } from "./commitments.ts";
import { dividedCommitment, generateNonces } from "./nonce.ts";
import { commitmentMessageCodec, round1 } from "./round1.ts";
import { type FrostSigningConfig, frostRun } from "./run.ts";

/**
 * Starts FROST signing (RFC 9591, section 5; two rounds, the first with echo) among exactly t signers. Every
 * signer aggregates, so no coordinator is trusted. The nonces are generated here and stay in memory; an
 * unfinished run is never resumed.
 *
 * @returns the start of a run that ends in a verified signature of 64 bytes (RFC 8032 for FROST-Ed25519,
 * BIP-340 for FROST-BIP340 and FROST-Taproot); or in a fault that names the peer whose request, commitment or
 * signature share fails
 * @throws RangeError when the key is of no FROST scheme, the quorum does not fit it, or the message is too
 * long: a bug of the caller
 */
export const startFrostSigning = <P extends GroupPoint<P>>(
  config: FrostSigningConfig<P>,
): Start<Uint8Array> => {
  const run = frostRun(config);
  const { suite, self, key, request } = run;
  const material = (): Material => ({ ...keyMaterial(key.info), message: run.message });
  const start: Start<Uint8Array> = (entropy) => {
    const nonces = generateNonces(suite, key.secretShare.reveal(), request, entropy);
    const hiding = dividedCommitment(suite, nonces.hiding);
    const binding = dividedCommitment(suite, nonces.binding);
    const payload = encode(commitmentMessageCodec(suite.curve), {
      request,
      hiding: hiding.toBytes(),
      binding: binding.toBytes(),
    });
    const own: Commitment<P> = {
      party: self,
      hiding: hiding.clearCofactor(),
      binding: binding.clearCofactor(),
    };
    return {
      kind: "next",
      messages: [{ to: "all", payload }],
      round: round1(run, own, new Secret(nonces)),
    };
  };
  return withMaterial(start, material);
};
