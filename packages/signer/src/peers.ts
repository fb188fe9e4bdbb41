import type { SignerEvent } from "@conclave/cluster";
import type { Timer, World } from "@conclave/custody";
import { roleOf, type TlsIdentity } from "@conclave/platform/certificates";
import {
  type DeliverReply,
  type DeliverRequest__Output,
  type DropReason,
  ENVELOPE_BYTES_MAX,
  ENVELOPES_PER_REQUEST_MAX,
  PeerClient,
  type PeerHandlers,
  type SignerAddress,
} from "@conclave/platform/grpc";
import { decode, type Envelope, encode, envelopeCodec, type PartyIndex } from "@conclave/threshold";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";

/** Requests that were taken are acknowledged by so many, or this long after the first: a word costs what it carries. */
const TAKEN_UNSAID_MAX = 16;
const ACKNOWLEDGE_MS = 400;
/** Links of one peer, over all its connections: it needs one. A further one ends the oldest. */
const LINKS_PER_PEER_MAX = 256;
/** Acknowledgements that a peer may leave unread, beside what its connection holds, before its link ends. */
const UNREAD_MAX = 64;

type Link = ServerDuplexStream<DeliverRequest__Output, DeliverReply>;

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
    this.#links.get(to)?.send(this.#bytesOf(envelope));
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

/** The mesh's dependencies on the shell. */
export interface Ears {
  readonly isBusy: () => boolean;
  readonly dispatch: (event: SignerEvent) => void;
}

const indexOf = (call: Link, clusterId: string): PartyIndex | undefined => {
  const role = roleOf(call.getAuthContext()?.sslPeerCertificate, clusterId);
  return role?.kind === "signer" ? role.index : undefined;
};

/** Why a request was not taken. */
interface Problem {
  readonly code: status;
  readonly details: string;
}

const UNREAD: Problem = { code: status.RESOURCE_EXHAUSTED, details: "what was taken is not heard" };

/** The content of a request, or its defect. */
const envelopesOf = (
  list: readonly Uint8Array[],
  from: PartyIndex | undefined,
): { readonly from: PartyIndex; readonly envelopes: readonly Envelope[] } | Problem => {
  const bytes = list.reduce((sum, { length }) => sum + length, 0);
  if (list.length === 0 || list.length > ENVELOPES_PER_REQUEST_MAX || bytes > ENVELOPE_BYTES_MAX) {
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

/**
 * The mesh as this signer hears it: an envelope counts only when its sender's certificate is behind it. The
 * peer is read once a link, for a connection's certificate does not change.
 */
export class PeerService {
  readonly #world: World;
  readonly #ears: Ears;
  readonly #clusterId: string;
  /** the functions that end each open link, the oldest first */
  readonly #open = new Map<Link, { readonly from: PartyIndex | undefined; readonly end: () => void }>();

  constructor(world: World, ears: Ears, clusterId: string) {
    this.#world = world;
    this.#ears = ears;
    this.#clusterId = clusterId;
  }

  handlers(): PeerHandlers {
    return { Deliver: (link) => this.#listen(link) };
  }

  /** Ends the links, so that a server can stop; peers send again what was not acknowledged. */
  close(): void {
    for (const { end } of this.#open.values()) end();
  }

  #listen(link: Link): void {
    const from = indexOf(link, this.#clusterId);
    let taken = 0;
    let soon: Timer | undefined;
    const acknowledge = (): void => {
      soon?.stop();
      soon = undefined;
      if (taken === 0) return;
      link.write({ taken });
      taken = 0;
      if (link.writableLength > UNREAD_MAX) fail(UNREAD);
    };
    const over = (): void => {
      soon?.stop();
      this.#open.delete(link);
    };
    const fail = (problem: Problem): void => {
      acknowledge();
      if (!this.#open.has(link)) return;
      over();
      link.emit("error", problem);
    };
    const end = (): void => {
      acknowledge();
      over();
      link.end();
    };
    this.#makeRoom(from);
    this.#open.set(link, { from, end });
    link.on("data", ({ envelopes }: DeliverRequest__Output) => {
      if (!this.#open.has(link)) return; // a request after one that was not taken
      const problem = this.#take(envelopes, from);
      if (problem !== undefined) {
        fail(problem);
        return;
      }
      taken += 1;
      if (taken >= TAKEN_UNSAID_MAX) acknowledge();
      else soon ??= this.#world.after(ACKNOWLEDGE_MS, acknowledge);
    });
    link.on("end", end);
    link.on("cancelled", over);
    link.on("error", over);
  }

  /** A peer that opens one link after another has the last ones. */
  #makeRoom(from: PartyIndex | undefined): void {
    const [oldest, ...others] = [...this.#open.values()].filter((link) => link.from === from);
    if (oldest !== undefined && others.length + 1 >= LINKS_PER_PEER_MAX) oldest.end();
  }

  /** Hands the envelopes of a request on, or says why none of them was taken. */
  #take(list: readonly Uint8Array[], from: PartyIndex | undefined): Problem | undefined {
    const heard = envelopesOf(list, from);
    if (!("envelopes" in heard)) return heard;
    if (this.#ears.isBusy()) return { code: status.UNAVAILABLE, details: "busy" };
    for (const envelope of heard.envelopes)
      this.#ears.dispatch({ kind: "envelope", from: heard.from, envelope });
    return undefined;
  }
}
