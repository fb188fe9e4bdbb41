import type { Timer, World } from "@conclave/custody";
import { roleOf } from "@conclave/platform/certificates";
import type { DeliverReply, DeliverRequest__Output, PeerHandlers } from "@conclave/platform/grpc";
import type { PartyIndex } from "@conclave/threshold";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { Deliver, NotTaken } from "../delivery.ts";

/** Requests that were taken are acknowledged by so many, or this long after the first: a word costs what it carries. */
const TAKEN_UNSAID_MAX = 16;
const ACKNOWLEDGE_MS = 400;
/** Links of one peer, over all its connections: it needs one. A further one ends the oldest. */
const LINKS_PER_PEER_MAX = 256;
/** Acknowledgements that a peer may leave unread, beside what its connection holds, before its link ends. */
const UNREAD_MAX = 64;

type Link = ServerDuplexStream<DeliverRequest__Output, DeliverReply>;

const indexOf = (call: Link, clusterId: string): PartyIndex | undefined => {
  const role = roleOf(call.getAuthContext()?.sslPeerCertificate, clusterId);
  return role?.kind === "signer" ? role.index : undefined;
};

/** The end of a link whose request was not taken. */
interface Problem {
  readonly code: status;
  readonly details: string;
}

const UNREAD: Problem = { code: status.RESOURCE_EXHAUSTED, details: "what was taken is not heard" };
const PROBLEMS: Readonly<Record<NotTaken, Problem>> = {
  "not of a fitting size": {
    code: status.INVALID_ARGUMENT,
    details: "too many envelopes, too large ones, or none",
  },
  "not an envelope": { code: status.INVALID_ARGUMENT, details: "not an envelope" },
  "of another sender": { code: status.PERMISSION_DENIED, details: "the envelope is of another sender" },
  busy: { code: status.UNAVAILABLE, details: "busy" },
};

/**
 * The mesh as this signer hears it: an envelope counts only when its sender's certificate is behind it. The
 * peer is read once a link, for a connection's certificate does not change.
 */
export class PeerService {
  readonly #world: Pick<World, "after">;
  readonly #deliver: Deliver;
  readonly #clusterId: string;
  /** the functions that end each open link, the oldest first */
  readonly #open = new Map<Link, { readonly from: PartyIndex | undefined; readonly end: () => void }>();

  constructor(world: Pick<World, "after">, deliver: Deliver, clusterId: string) {
    this.#world = world;
    this.#deliver = deliver;
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
      const whyNot = this.#deliver(from, envelopes);
      if (whyNot !== undefined) {
        fail(PROBLEMS[whyNot]);
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
}
