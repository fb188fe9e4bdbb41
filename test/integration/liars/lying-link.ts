import {
  type DeliverRequest__Output,
  PEER,
  PeerClient,
  type PeerHandlers,
  type SignerAddress,
  serve,
} from "@conclave/platform";
import { decode, type Envelope, encode, envelopeCodec } from "@conclave/threshold";
import { signEnvelope } from "@conclave/threshold/testing";
import type { Premises } from "../further-family/cluster.ts";
import { identitySecret } from "../lying-signer.ts";
import { memberIdentity } from "../signer-access.ts";

const GRACE_MS = 100;

/** A liar's change of its own envelope on its way to one peer; undefined withholds it. */
export type Lie = (envelope: Envelope, sign: (payload: Uint8Array) => Envelope) => Envelope | undefined;

const honest: Lie = (envelope) => envelope;

/**
 * A proxy on a lying signer's link to one of its peers, with real connections and certificates on both sides. It forwards the
 * signer's messages until it lies to this one peer.
 */
export class LyingLink {
  /** the address that the liar uses for this peer */
  readonly address: SignerAddress;
  readonly #stop: () => Promise<void>;
  #lie: Lie = honest;
  #lies = 0;

  private constructor(address: SignerAddress, stop: () => Promise<void>) {
    this.address = address;
    this.#stop = stop;
  }

  static async open(
    { layout, clusterId, roster }: Pick<Premises, "layout" | "clusterId" | "roster">,
    liar: number,
    peer: SignerAddress["index"],
  ): Promise<LyingLink> {
    const known = { layout, description: { clusterId } };
    const [own, shown, secret] = await Promise.all([
      memberIdentity(known, layout.signer(liar)),
      memberIdentity(known, layout.signer(peer)),
      identitySecret(layout.signer(liar)),
    ]);
    const address = roster.signers.find(({ index }) => index === peer)?.address ?? "";
    const client = new PeerClient({ index: peer, address }, own, () => undefined);
    const passOn = (bytes: Uint8Array): void => {
      const said = decode(envelopeCodec, bytes);
      if (!said.ok) throw new Error("a signer sends envelopes");
      const sent = link.#forge(said.value, secret);
      if (sent !== undefined) client.send(encode(envelopeCodec, sent));
    };
    const handlers: PeerHandlers = {
      Deliver: (call) => {
        call.on("data", ({ envelopes }: DeliverRequest__Output) => {
          for (const envelope of envelopes) passOn(envelope);
          call.write({ taken: 1 });
        });
        call.on("end", () => call.end());
        call.on("error", () => undefined);
      },
    };
    const admission = { "conclave.signer.v2.Peer": ["signer"] } as const;
    const services = [{ definition: PEER, implementation: handlers }];
    const server = await serve("127.0.0.1:0", shown, admission, services);
    const link = new LyingLink({ index: peer, address: `127.0.0.1:${server.port}` }, async () => {
      client.close();
      await server.stop(GRACE_MS);
    });
    return link;
  }

  /** Number of envelopes changed or withheld since the last call of `lie`. */
  get lies(): number {
    return this.#lies;
  }

  lie(lie: Lie): void {
    this.#lie = lie;
    this.#lies = 0;
  }

  beHonest(): void {
    this.lie(honest);
  }

  close(): Promise<void> {
    return this.#stop();
  }

  #forge(envelope: Envelope, secret: Uint8Array): Envelope | undefined {
    const { session, round, kind, from, to } = envelope;
    const sent = this.#lie(envelope, (payload) =>
      signEnvelope({ session, round, kind, from, to }, payload, secret),
    );
    if (sent !== envelope) this.#lies += 1;
    return sent;
  }
}
