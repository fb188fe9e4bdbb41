import type { SignerEvent } from "@conclave/cluster";
import { ENVELOPE_BYTES_MAX, ENVELOPES_PER_REQUEST_MAX } from "@conclave/platform/grpc";
import { decode, type Envelope, envelopeCodec, type PartyIndex } from "@conclave/threshold";

/** Why a peer's envelopes were not taken; "busy" alone passes, and the peer delivers them again. */
export type NotTaken = "not of a fitting size" | "not an envelope" | "of another sender" | "busy";

/**
 * Takes the envelopes of one request, all or none.
 *
 * @param from the peer that the caller has shown to be; undefined when it is none
 * @param list envelopeCodec
 * @returns why none was taken; undefined when all were
 */
export type Deliver = (from: PartyIndex | undefined, list: readonly Uint8Array[]) => NotTaken | undefined;

/** The signer that takes the envelopes. */
interface Receiver {
  readonly isBusy: () => boolean;
  readonly dispatch: (event: SignerEvent) => void;
}

/** The content of a request, or its defect. */
const envelopesOf = (
  list: readonly Uint8Array[],
  from: PartyIndex | undefined,
): { readonly from: PartyIndex; readonly envelopes: readonly Envelope[] } | NotTaken => {
  const bytes = list.reduce((sum, { length }) => sum + length, 0);
  if (list.length === 0 || list.length > ENVELOPES_PER_REQUEST_MAX || bytes > ENVELOPE_BYTES_MAX) {
    return "not of a fitting size";
  }
  const envelopes: Envelope[] = [];
  for (const encoded of list) {
    const envelope = decode(envelopeCodec, encoded);
    if (!envelope.ok) return "not an envelope";
    if (envelope.value.from !== from) return "of another sender";
    envelopes.push(envelope.value);
  }
  return from === undefined ? "of another sender" : { from, envelopes };
};

/** The mesh as a signer hears it: an envelope counts only with its sender's certificate, or the like of it, behind it. */
export const deliveryTo =
  ({ isBusy, dispatch }: Receiver): Deliver =>
  (claimed, list) => {
    const heard = envelopesOf(list, claimed);
    if (typeof heard === "string") return heard;
    if (isBusy()) return "busy";
    for (const envelope of heard.envelopes) dispatch({ kind: "envelope", from: heard.from, envelope });
    return undefined;
  };
