import { transferIdSchema } from "@conclave/custody";
import { memorySigner } from "@conclave/signer/testing";
import { type PartyIndex, SESSION_ID_BYTES } from "@conclave/threshold";
import { ACTS, type HostileOrder, type Means, type ReadyId } from "../attack/acts.ts";
import { chanceOf } from "../time/chance-of.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { mortalSigner } from "./mortal-signer.ts";
import { beginLife, type SharedParts } from "./parts.ts";
import { watchedSigner } from "./watched-signer.ts";

const NAME = "hostile-1";
/** The least and the most time between two acts. */
const BETWEEN_MS = [30, 400] as const;
/** Orders of one act go to a signer at once, or up to so much later. */
const LATE_MS = 40;
/** It leaves a session, which its signers then end, after so long at most, once all orders of its act are sent. */
const LEAVES_MS = 400;

/**
 * An attacker with the rights of an orchestrator: it calls signers as one does. It has every command that passed, and signed requests that
 * nobody waits for, and begins sessions that mix them. It broadcasts nothing, so that it takes no account number from an honest transfer.
 */
export class HostileOrchestrator {
  readonly #parts: SharedParts;
  readonly #world: ProcessWorld;
  readonly #signers;
  readonly #chance;
  readonly #lives = new Map<PartyIndex, Uint8Array>();
  #ready: readonly ReadyId[] = [];
  #decoys = 0;

  constructor(parts: SharedParts) {
    this.#parts = parts;
    const { seed, members, network, watch } = parts;
    const { world } = beginLife(parts, NAME, 1);
    this.#world = world;
    this.#chance = chanceOf(seed, NAME);
    this.#signers = new Map(
      members.map((index) => [
        index,
        watchedSigner(mortalSigner(memorySigner(network, index, NAME), world), NAME, watch),
      ]),
    );
  }

  /** Attacks until it is killed. */
  async start(): Promise<void> {
    while (this.#world.isAlive()) {
      await this.#world.sleep(this.#chance.between(...BETWEEN_MS));
      await this.#look();
      const [name, act] = this.#chance.of(Object.entries(ACTS));
      const orders = act(this.#means());
      if (orders.length > 0) this.#parts.watch.reached.add(`hostile tries: ${name}`);
      const lastMs = Math.max(0, ...orders.map(({ inMs = 0 }) => inMs));
      for (const order of orders) {
        const { inMs = 0 } = order;
        const staysMs = lastMs - inMs + this.#chance.between(LATE_MS, LEAVES_MS);
        this.#world.after(this.#chance.between(0, LATE_MS) + inMs, () => this.#send(order, staysMs));
      }
    }
  }

  kill(): void {
    this.#world.kill();
  }

  #send({ to, named, command }: HostileOrder, staysMs: number): void {
    const call = this.#signers
      .get(to)
      ?.begin(named, command, { report: () => undefined, lost: () => undefined });
    this.#world.after(staysMs, () => call?.cancel());
  }

  /** Asks each signer for its life and its presignatures. */
  async #look(): Promise<void> {
    const ready = await Promise.all(
      [...this.#signers].map(async ([index, signer]) => {
        const [status, listed] = await Promise.all([signer.getStatus(), signer.listPresignatures(undefined)]);
        if (status.ok && status.value.life !== undefined) this.#lives.set(index, status.value.life);
        return listed.ok ? listed.value : [];
      }),
    );
    this.#ready = ready.flat();
  }

  #means(): Means {
    const { members, authority, watch } = this.#parts;
    return {
      chance: this.#chance,
      nowMs: this.#world.nowMs(),
      passed: watch.commands.all,
      lives: new Map(this.#lives),
      members,
      ready: this.#ready,
      authority,
      freshSession: () => this.#world.entropy(SESSION_ID_BYTES),
      freshRequestId: () => this.#world.freshId(transferIdSchema, "xfr"),
      nextNumber: () => {
        this.#decoys += 1;
        return this.#decoys;
      },
    };
  }
}
