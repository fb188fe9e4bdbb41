import {
  type ChainWallet,
  type CreateWebhookBody,
  ERRORS,
  type Problem,
  type Result,
  type TransferId,
} from "@conclave/custody";
import { createTransfer, createWallet, createWebhook } from "@conclave/gateway";
import type { Caller } from "@conclave/platform";
import type { GatewayProcess, UseCase } from "../process/gateway-process.ts";
import type { SharedParts } from "../process/parts.ts";
import { chanceOf } from "../time/chance-of.ts";
import { openProcessWorld, type ProcessWorld } from "../time/process-world.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import { askGateway, type ClientWay } from "./ask-gateway.ts";

/** How long a client waits for an answer before it asks again. */
const PATIENCE_MS = 1_000;
/** A wallet's answer comes once its key is made. */
const WALLET_PATIENCE_MS = 2_500;
const AGAIN_MS = 250;

/** A transfer that a client asks for. */
export interface WantedTransfer {
  readonly wallet: ChainWallet;
  /** lower-case hex with 0x */
  readonly to: string;
  /** wei */
  readonly amount: bigint;
}

/** The record that a client keeps of a transfer. */
export interface AskedTransfer extends WantedTransfer {
  /** the same in each attempt */
  readonly externalId: string;
  readonly attempts: number;
  /** the transfers that answers named: one, if the cluster keeps its promise; none before the first answer */
  readonly ids: ReadonlySet<TransferId>;
  /** a refusal that another attempt does not change */
  readonly refusal: Problem | undefined;
}

/** A record, while its client goes on with it. */
interface OpenRecord extends AskedTransfer {
  attempts: number;
  readonly ids: Set<TransferId>;
  refusal: Problem | undefined;
}

/** A client of an organisation. It asks until it is answered, each attempt at the next gateway, and an externalId makes all attempts one request. */
export class ClientProcess {
  readonly #parts: SharedParts;
  readonly #gateways: readonly GatewayProcess[];
  readonly #caller: Caller;
  readonly #world: ProcessWorld;
  readonly #way: ClientWay;
  readonly #asked: OpenRecord[] = [];
  #wallets = 0;

  constructor(parts: SharedParts, gateways: readonly GatewayProcess[]) {
    this.#parts = parts;
    this.#gateways = gateways;
    const { seed, scheduler, startMs, lostAnswers, organisation } = parts;
    this.#caller = { orgId: organisation.id, userId: organisation.administrator, tokenKind: "Token" };
    this.#world = openProcessWorld({ scheduler, name: "client", life: 1, seed, startMs });
    this.#way = { scheduler, world: this.#world, chance: chanceOf(seed, "client/way"), lostAnswers };
  }

  /** Its record of the transfers that it asked for, in order. */
  get asked(): readonly AskedTransfer[] {
    return this.#asked;
  }

  /** Asks for a wallet. @throws where it is refused */
  async createWallet(): Promise<ChainWallet> {
    const { network } = this.#parts.chain.entry;
    this.#wallets += 1;
    const body = { network, externalId: `wallet-${this.#wallets}` };
    const answer = await this.#answerTo(this.#wallets, WALLET_PATIENCE_MS, (dependencies) =>
      createWallet(dependencies, this.#caller, body),
    );
    if (!answer.ok) throw new Error(`a wallet is refused: ${answer.problem.message}`);
    const { address } = answer.value;
    if (address === undefined) throw new Error(`the wallet ${answer.value.id} has no address`);
    return { ...answer.value, address };
  }

  /** Asks for a webhook. Each attempt has an endpoint of its own: attempts whose answers were lost made webhooks, too. */
  async createWebhook(kinds: CreateWebhookBody["events"]): Promise<OwnWebhook> {
    const { endpoints, organisation } = this.#parts;
    let attempts = 0;
    const answer = await this.#answerTo(0, PATIENCE_MS, (dependencies) => {
      attempts += 1;
      const url = `http://client.example/webhooks/${attempts}`;
      endpoints.open(url);
      return createWebhook(dependencies, this.#caller, { url, events: kinds });
    });
    if (!answer.ok) throw new Error(`a webhook is refused: ${answer.problem.message}`);
    const { webhook, secret } = answer.value;
    return { id: webhook.id, orgId: organisation.id, url: webhook.url, secret, kinds };
  }

  /** Asks for a transfer until it is answered. */
  async transfer(wanted: WantedTransfer): Promise<void> {
    const number = this.#asked.length + 1;
    const { wallet, to, amount } = wanted;
    const externalId = `transfer-${number}`;
    const record: OpenRecord = { ...wanted, externalId, attempts: 0, ids: new Set(), refusal: undefined };
    this.#asked.push(record);
    const body = { kind: "Native", to, amount: amount.toString(), externalId } as const;
    const answer = await this.#answerTo(
      number,
      PATIENCE_MS,
      (dependencies) => createTransfer(dependencies, this.#caller, wallet.id, body),
      () => {
        record.attempts += 1;
      },
      ({ id }) => void record.ids.add(id),
    );
    if (!answer.ok) record.refusal = answer.problem;
    const outcome = answer.ok ? `accepted as ${answer.value.id}` : `refused: ${answer.problem.message}`;
    this.#parts.trace.note("client", `${externalId} is ${outcome}, attempt ${record.attempts}`);
  }

  /**
   * Asks again and again until an answer comes that stays the same.
   * @param heard hears each answer, also one that comes too late
   */
  async #answerTo<T>(
    number: number,
    patienceMs: number,
    useCase: UseCase<T>,
    asks: () => void = () => undefined,
    heard: (value: T) => void = () => undefined,
  ): Promise<Result<T>> {
    for (let attempt = 0; ; attempt += 1) {
      const gateway = this.#gateways[(number + attempt) % this.#gateways.length];
      if (gateway === undefined) throw new Error("a cluster has gateways");
      asks();
      const asking = askGateway(this.#way, gateway, useCase).then((answer) => {
        if (answer.ok) heard(answer.value);
        return answer;
      });
      const answer = await this.#within(patienceMs, asking);
      if (answer !== undefined && (answer.ok || !isTransient(answer.problem))) return answer;
      await this.#world.sleep(AGAIN_MS);
    }
  }

  /** @returns undefined where no answer comes in time */
  #within<T>(ms: number, asking: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const late = this.#world.after(ms, () => resolve(undefined));
      asking.then(resolve, reject).finally(late.stop);
    });
  }
}

/** Whether another attempt may be answered otherwise. */
const isTransient = ({ code }: Problem): boolean => {
  const { kind, status } = ERRORS[code];
  return kind !== "refusal" || status === TOO_MANY;
};

const TOO_MANY = 429;
