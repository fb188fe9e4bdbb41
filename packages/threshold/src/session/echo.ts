import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, decode, encode, fixedBytes, list, struct, uint } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { identityOf, partiesBut, type SessionConfig } from "./config.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeHeader, isSignedBy } from "./envelope.ts";
import type { Received } from "./mailbox.ts";
import { NO_MATERIAL } from "./material.ts";
import type { Fault } from "./outcome.ts";
import type { SignedMessage } from "./signed-message.ts";

/**
 * Echo broadcast (Goldwasser and Lindell, 2005; P12): once all broadcasts of a round have arrived, every
 * party sends every other the hashes that it received, with the senders' signatures. If a party signed two
 * payloads, all parties that received different ones detect it, and the signatures prove it.
 */

/** The broadcast of one party, as the sender of an echo claims to have received it. */
interface Claim {
  readonly party: number;
  readonly payloadHash: Uint8Array;
  readonly signature: Uint8Array;
}

const CLAIM_BYTES = 2 + 32 + 64;

/** An echo: one claim for each party except its sender. @param parties the number of parties in the session */
export const echoCodec = (parties: number): Codec<readonly Claim[]> =>
  list(
    struct<Claim>({ party: uint(2), payloadHash: fixedBytes(32), signature: fixedBytes(64) }),
    parties - 1,
  );

/** The exact length of an echo's payload. */
export const echoBytes = ({ parties }: Pick<SessionConfig, "parties">): number =>
  (parties.length - 1) * CLAIM_BYTES;

/** The payload of our echo: claims of the broadcasts that we received from every other party, ascending. */
export const encodeEcho = (config: SessionConfig, broadcasts: readonly Received[]): Uint8Array =>
  encode(
    echoCodec(config.parties.length),
    [...broadcasts]
      .sort((a, b) => a.from - b.from)
      .map(({ from, payloadHash, envelope }) => ({
        party: from,
        payloadHash,
        signature: envelope.signature,
      })),
  );

/** The broadcasts of an echoed round by party, our own included. */
export type Broadcasts = ReadonlyMap<
  PartyIndex,
  { readonly envelope: Envelope; readonly payloadHash: Uint8Array }
>;

/**
 * Compares an echo with the broadcasts that we received, and returns the fault that it shows, if any. A claim
 * with a valid signature on another hash than ours convicts that signer; a claim that does not verify, or a
 * list that does not have exactly the other parties, convicts the sender of the echo, whose signed echo is
 * the evidence.
 */
export const findEchoFault = (
  config: SessionConfig,
  broadcasts: Broadcasts,
  echo: Received,
): Fault | undefined => {
  const { round } = echo.envelope;
  const lies = (check: string): Fault => ({
    culprit: echo.from,
    check: `round ${round}: echo ${check}`,
    messages: [echo.envelope],
    material: NO_MATERIAL,
  });
  const decoded = decode(echoCodec(config.parties.length), echo.envelope.payload);
  if (!decoded.ok) return lies(`malformed: ${decoded.reason}`);
  const claims = decoded.value;
  const named = partiesBut(config, echo.from);
  if (named.some((party, at) => claims[at]?.party !== party)) return lies("does not list every other party");

  for (const [at, party] of named.entries()) {
    const claim = claims[at];
    const known = broadcasts.get(party);
    if (claim === undefined || known === undefined) continue;
    const isSameHash = equalBytes(claim.payloadHash, known.payloadHash);
    if (isSameHash && equalBytes(claim.signature, known.envelope.signature)) continue;
    const header: EnvelopeHeader = {
      session: config.session,
      round,
      kind: ENVELOPE_KIND.broadcast,
      from: party,
      to: 0,
    };
    if (!isSignedBy(identityOf(config, party), header, claim.payloadHash, claim.signature)) {
      return lies(`claims a message that party ${party} did not sign`);
    }
    if (isSameHash) continue; // the party signed the same content twice
    const other: SignedMessage = { header, payloadHash: claim.payloadHash, signature: claim.signature };
    return {
      culprit: party,
      check: `round ${round}: different broadcasts to different parties`,
      messages: [known.envelope, other],
      material: NO_MATERIAL,
    };
  }
  return undefined;
};
