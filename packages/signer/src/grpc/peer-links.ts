import type { TlsIdentity } from "@conclave/platform/certificates";
import { type DropReason, PeerClient, type SignerAddress } from "@conclave/platform/grpc";
import type { PartyIndex } from "@conclave/threshold";
import type { PeerLinks } from "../assembly/parts.ts";

/** The mesh as a signer speaks into it over gRPC: one link a peer. */
export class GrpcPeerLinks implements PeerLinks {
  readonly #links: ReadonlyMap<PartyIndex, PeerClient>;

  constructor(
    peers: readonly SignerAddress[],
    tls: TlsIdentity,
    dropped: (to: PartyIndex, reason: DropReason) => void,
  ) {
    this.#links = new Map(
      peers.map((peer) => [peer.index, new PeerClient(peer, tls, (reason) => dropped(peer.index, reason))]),
    );
  }

  send(to: PartyIndex, envelope: Uint8Array): void {
    this.#links.get(to)?.send(envelope);
  }

  connected(): readonly PartyIndex[] {
    return [...this.#links].filter(([, link]) => link.isConnected()).map(([index]) => index);
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
  }
}
