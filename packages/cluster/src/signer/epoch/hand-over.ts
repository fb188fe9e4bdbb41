import { signEd25519 } from "@conclave/threshold";
import type { VerifiedCertificate } from "../../control/epoch-certificate.ts";
import { handoverBytes, type KnownRequests, writeHandover } from "../../control/epoch-handover.ts";
import { endUses } from "../key-change/next-share.ts";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import { lostToMs } from "../older-store/lost-time.ts";
import { countRelease } from "../older-store/spending.ts";
import { keepingKey, storedKey } from "../records/key-records.ts";
import { bindingsOf } from "../signing/recent-bindings.ts";
import { andThen, type SignerState, type SignerStep, unchanged } from "../state.ts";

/**
 * Records, in one synced write, that this signer signs no more with any earlier epoch of a key, as every holder of the
 * new one has its share durably. The old share stays until enough others have handed over as well. The certificate is
 * stored too, as perhaps no other signer has it yet. Sessions that use the share end first in memory.
 */
export const handOver = (
  state: SignerState,
  keyId: string,
  to: number,
  certificate: Uint8Array,
): SignerStep => {
  const key = storedKey(state, keyId);
  if (key === undefined || (key.handedOver?.to ?? 0) >= to) return unchanged(state);
  const kept = keepingKey(state, keyId, { ...key, handedOver: { to, certificate } });
  const counted = countRelease(kept.state, undefined);
  const step: SignerStep = {
    state: counted.state,
    effects: [
      { kind: "batch", puts: [...kept.puts, counted.write], erases: kept.erases, sync: true },
      ...counted.announcements,
    ],
  };
  return andThen(step, (after) => endUses(after, keyId));
};

/**
 * This signer's statement, as `writeHandover` encodes it, that it signs with no epoch of a key before the one of a
 * certificate, and for which requests it signed. The promise must be durable before.
 *
 * @param known its knowledge of requests (`requestsKnown`), from before it gave anything up
 */
export const handoverOf = (
  { config: { roster, self, secrets } }: SignerState,
  { subject, to, session }: VerifiedCertificate,
  known: KnownRequests,
): Uint8Array => {
  const bytes = handoverBytes(roster, self, { subject, to, session }, known);
  return writeHandover({ signer: self, ...known, signature: signEd25519(bytes, secrets.reveal().identity) });
};

/**
 * The requests for which this signer signed with a key that it hands over. A signer that no longer has a share of it
 * knows nothing of earlier times.
 */
export const requestsKnown = (state: SignerState, keyId: string, nowMs: number): KnownRequests => {
  const key = storedKey(state, keyId);
  const heldSinceMs = key === undefined ? nowMs + CLOCK_SKEW_MS_MAX : (key.heldSinceMs ?? 0);
  const known = bindingsOf(state.recentBindings, keyId, state.startedAtMs ?? nowMs, heldSinceMs);
  const lostMs = lostToMs(state);
  return lostMs === 0
    ? known
    : {
        ...known,
        sinceMs: Math.max(known.sinceMs, lostMs + 1),
        latestMs: Math.max(known.latestMs, lostMs),
      };
};
