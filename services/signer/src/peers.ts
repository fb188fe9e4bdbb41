import { type SignerEvent, sessionKey } from "@conclave/cluster";
import { roleOf, type TlsIdentity } from "@conclave/platform/certificates";
import {
  type DropReason,
  ENVELOPE_BYTES_MAX,
  ENVELOPES_PER_CALL_MAX,
  PeerClient,
  type PeerHandlers,
  type SignerAddress,
} from "@conclave/platform/grpc";
import { decode, type Envelope, encode, envelopeCodec, type PartyIndex } from "@conclave/threshold";
import { type ServerUnaryCall, status } from "@grpc/grpc-js";

/** The mesh as this signer speaks into it: one link a peer. */
export class Peers {
  readonly #links: ReadonlyMap<PartyIndex, PeerClient>;
  /** a broadcast goes to every peer and is encoded once */
  readonly #encoded = new WeakMap<Envelope, Uint8Array>();

  constructor(
    peers: readonly SignerAddress[],
    tls: TlsIdentity,
    dropped: (to: PartyIndex, reason: DropReason) => void,
  ) {
    this.#links = new Map(
      peers.map((peer) => [peer.index, new PeerClient(peer, tls, (reason) => dropped(peer.index, reason))]),
    );
  }

  send(to: PartyIndex, envelope: Envelope): void {
    const session = sessionKey(envelope.session);
    if (session !== undefined) this.#links.get(to)?.send(session, this.#bytesOf(envelope));
  }

  /** Peers whose links stand, ascending. Asks for the links that do not. */
  connected(): readonly PartyIndex[] {
    return [...this.#links].filter(([, link]) => link.isConnected()).map(([index]) => index);
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
  }

  #bytesOf(envelope: Envelope): Uint8Array {
    const known = this.#encoded.get(envelope);
    if (known !== undefined) return known;
    const encoded = encode(envelopeCodec, envelope);
    this.#encoded.set(envelope, encoded);
    return encoded;
  }
}

/** What the mesh needs of the shell. */
export interface Ears {
  readonly isBusy: boolean;
  dispatch(event: SignerEvent): void;
}

const indexOf = (call: ServerUnaryCall<unknown, unknown>, clusterId: string): PartyIndex | undefined => {
  const role = roleOf(call.getAuthContext()?.sslPeerCertificate, clusterId);
  return role?.kind === "signer" ? role.index : undefined;
};

/** What a call brings, or what is wrong with it. */
const envelopesOf = (
  list: readonly Uint8Array[],
  from: PartyIndex | undefined,
):
  | { readonly from: PartyIndex; readonly envelopes: readonly Envelope[] }
  | { readonly code: status; readonly details: string } => {
  const bytes = list.reduce((sum, { length }) => sum + length, 0);
  if (list.length === 0 || list.length > ENVELOPES_PER_CALL_MAX || bytes > ENVELOPE_BYTES_MAX) {
    return { code: status.INVALID_ARGUMENT, details: "too many envelopes, too large ones, or none" };
  }
  const foreign = { code: status.PERMISSION_DENIED, details: "the envelope is of another sender" };
  const envelopes: Envelope[] = [];
  for (const encoded of list) {
    const envelope = decode(envelopeCodec, encoded);
    if (!envelope.ok) return { code: status.INVALID_ARGUMENT, details: "not an envelope" };
    if (envelope.value.from !== from) return foreign;
    envelopes.push(envelope.value);
  }
  return from === undefined ? foreign : { from, envelopes };
};

/** The mesh as this signer hears it: an envelope counts only when its sender's certificate is behind it. */
export const peerHandlers = (ears: Ears, clusterId: string): PeerHandlers => ({
  Deliver: (call, callback) => {
    const heard = envelopesOf(call.request.envelopes, indexOf(call, clusterId));
    if (!("envelopes" in heard)) {
      callback(heard);
      return;
    }
    if (ears.isBusy) {
      callback({ code: status.UNAVAILABLE, details: "busy" });
      return;
    }
    for (const envelope of heard.envelopes) ears.dispatch({ kind: "envelope", from: heard.from, envelope });
    callback(null, {});
  },
});
