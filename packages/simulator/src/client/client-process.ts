import {
  type ChainWallet,
  type CreateWebhookBody,
  ERRORS,
  type ErrorCode,
  type OrganisationId,
  type Problem,
  type Result,
  type TransferId,
} from "@conclave/custody";
import { createTransfer, createWallet, createWebhook } from "@conclave/gateway";
import { type Caller, listTransfers, listWallets } from "@conclave/platform";
import type { WorldChain } from "../chain/world-chain.ts";
import type { GatewayProcess, UseCase } from "../process/gateway-process.ts";
import type { SharedParts } from "../process/parts.ts";
import { chanceOf } from "../time/chance-of.ts";
import { openProcessWorld, type ProcessWorld } from "../time/process-world.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import { askGateway, type ClientWay } from "./ask-gateway.ts";
import { answerAsText, type HeardAnswer } from "./heard-answer.ts";
import type { HopelessRequest } from "./hopeless-requests.ts";
import type { SimulatedOrganisation } from "./organisation.ts";

/** How long a client waits for an answer before it asks again. */
const PATIENCE_MS = 1_000;
/** A wallet's answer comes once its key is made. */
const WALLET_PATIENCE_MS = 2_500;
const AGAIN_MS = 250;
const PAGE = { limit: 50 } as const;

/** A transfer that a client asks for. */
export interface WantedTransfer {
  readonly wallet: ChainWallet;
  /** an address of the wallet's network */
  readonly to: string;
  /** in the smallest unit of the wallet's network */
  readonly amount: bigint;
}

/** The record that a client keeps of a transfer. */
export interface AskedTransfer extends WantedTransfer {
  /** the same in each attempt */
  readonly externalId: string;
  /** by which people tell it from those of other organisations */
  readonly title: string;
  readonly attempts: number;
  /** the transfers that answers named: one, if the cluster keeps its promise; none before the first answer */
  readonly ids: ReadonlySet<TransferId>;
  /** a refusal that another attempt does not change */
  readonly refusal: Problem | undefined;
}

/** The record that a client keeps of a request that has to be refused. */
export interface TriedRequest extends Pick<HopelessRequest, "name" | "isForeign"> {
  /** the organisation that asked */
  readonly orgId: OrganisationId;
  /** the answers, in order: "accepted", or the code of a refusal or an outage */
  readonly answers: readonly ("accepted" | ErrorCode)[];
}

/** A question, which a client asks again until it has an answer. */
interface Question<T> {
  /** with which gateway it begins */
  readonly number: number;
  readonly patienceMs: number;
  /** the question in words, with the ids that it names */
  readonly words: string;
  readonly useCase: UseCase<T>;
  /** is called before each attempt */
  readonly asks?: () => void;
  /** hears each answer, also one that comes too late */
  readonly heard?: (answer: Result<T>) => void;
  /** the part of an answer that the client may tell to others; all of it where it is left out */
  readonly shown?: (value: T) => unknown;
}

/** A record, while its client goes on with it. */
interface OpenRecord extends AskedTransfer {
  attempts: number;
  readonly ids: Set<TransferId>;
  refusal: Problem | undefined;
}

/** A client of an organisation. It asks until it is answered, each attempt at the next gateway, and an externalId makes all attempts one request. */
export class ClientProcess {
  readonly organisation: SimulatedOrganisation;
  readonly name: string;
  readonly #parts: SharedParts;
  readonly #gateways: readonly GatewayProcess[];
  readonly #caller: Caller;
  readonly #world: ProcessWorld;
  readonly #way: ClientWay;
  readonly #asked: OpenRecord[] = [];
  readonly #tried: TriedRequest[] = [];
  readonly #heard: HeardAnswer[] = [];
  readonly #wallets: ChainWallet[] = [];
  #begun = 0;

  /** @param organisation that it belongs to; the first where it is left out */
  constructor(
    parts: SharedParts,
    gateways: readonly GatewayProcess[],
    organisation: SimulatedOrganisation = parts.organisation,
  ) {
    this.#parts = parts;
    this.#gateways = gateways;
    this.organisation = organisation;
    this.name = `client of ${organisation.name}`;
    const { seed, scheduler, startMs, lostAnswers } = parts;
    const { name } = this;
    this.#caller = { orgId: organisation.id, userId: organisation.administrator, tokenKind: "Token" };
    this.#world = openProcessWorld({ scheduler, name, life: 1, seed, startMs });
    this.#way = { scheduler, world: this.#world, chance: chanceOf(seed, `${name}/way`), lostAnswers };
  }

  /** Its record of the transfers that it asked for, in order. */
  get asked(): readonly AskedTransfer[] {
    return this.#asked;
  }

  /** Its record of what it asked for and had to be refused, in order. */
  get tried(): readonly TriedRequest[] {
    return this.#tried;
  }

  /** All that it heard, in order. */
  get heard(): readonly HeardAnswer[] {
    return this.#heard;
  }

  /** Its wallets. */
  get wallets(): readonly ChainWallet[] {
    return this.#wallets;
  }

  /** Asks for a wallet. @param chain the first one where it is left out @throws where it is refused */
  async createWallet(chain: WorldChain | undefined = this.#parts.chains[0]): Promise<ChainWallet> {
    if (chain === undefined) throw new Error("a world has a chain");
    const { network } = chain.entry;
    this.#begun += 1;
    const body = { network, externalId: `wallet-${this.#begun}` };
    const answer = await this.#answerTo({
      number: this.#begun,
      patienceMs: WALLET_PATIENCE_MS,
      words: body.externalId,
      useCase: (dependencies) => createWallet(dependencies, this.#caller, body),
    });
    if (!answer.ok) throw new Error(`a wallet is refused: ${answer.problem.message}`);
    const { address } = answer.value;
    if (address === undefined) throw new Error(`the wallet ${answer.value.id} has no address`);
    const wallet = { ...answer.value, address };
    this.#wallets.push(wallet);
    return wallet;
  }

  /** Asks for a webhook. Each attempt has an endpoint of its own: attempts whose answers were lost made webhooks, too. */
  async createWebhook(kinds: CreateWebhookBody["events"]): Promise<OwnWebhook> {
    const { id: orgId, name } = this.organisation;
    let attempts = 0;
    const answer = await this.#answerTo({
      number: 0,
      patienceMs: PATIENCE_MS,
      words: "a webhook",
      useCase: (dependencies) => {
        attempts += 1;
        const url = `http://${name.toLowerCase()}.example/webhooks/${attempts}`;
        this.#parts.endpoints.open(url);
        return createWebhook(dependencies, this.#caller, { url, events: kinds });
      },
      shown: ({ webhook }) => webhook,
    });
    if (!answer.ok) throw new Error(`a webhook is refused: ${answer.problem.message}`);
    const { webhook, secret } = answer.value;
    return { id: webhook.id, orgId, url: webhook.url, secret, kinds };
  }

  /** Asks for a transfer until it is answered. */
  async transfer(wanted: WantedTransfer): Promise<void> {
    const number = this.#asked.length + 1;
    const { wallet, to, amount } = wanted;
    const externalId = `transfer-${number}`;
    const isOfFirst = this.organisation === this.#parts.organisation;
    const title = isOfFirst ? externalId : `${externalId} of ${this.organisation.name}`;
    const record: OpenRecord = {
      ...wanted,
      externalId,
      title,
      attempts: 0,
      ids: new Set(),
      refusal: undefined,
    };
    this.#asked.push(record);
    const body = { kind: "Native", to, amount: amount.toString(), externalId } as const;
    const answer = await this.#answerTo({
      number,
      patienceMs: PATIENCE_MS,
      words: externalId,
      useCase: (dependencies) => createTransfer(dependencies, this.#caller, wallet.id, body),
      asks: () => {
        record.attempts += 1;
      },
      heard: (heard) => heard.ok && record.ids.add(heard.value.id),
    });
    if (!answer.ok) record.refusal = answer.problem;
    const outcome = answer.ok ? `accepted as ${answer.value.id}` : `refused: ${answer.problem.message}`;
    this.#parts.trace.note(this.name, `${title} is ${outcome}, attempt ${record.attempts}`);
  }

  /** Asks for its wallets, and for the transfers of one of them. */
  async list({ id }: ChainWallet): Promise<void> {
    const { orgId } = this.#caller;
    await this.#answerTo({
      number: this.#heard.length,
      patienceMs: PATIENCE_MS,
      words: "lists",
      useCase: async ({ database }) => {
        const [wallets, transfers] = [
          await listWallets(database, orgId, PAGE),
          await listTransfers(database, id, PAGE),
        ];
        return { ok: true, value: { wallets, transfers } };
      },
    });
  }

  /** Asks for what has to be refused, until it is. */
  async tryHopeless({ name, isForeign, ids, ask }: HopelessRequest): Promise<void> {
    const answers: ("accepted" | ErrorCode)[] = [];
    this.#tried.push({ name, isForeign, orgId: this.#caller.orgId, answers });
    await this.#answerTo({
      number: this.#tried.length,
      patienceMs: PATIENCE_MS,
      words: `${name} ${ids.join(" ")}`,
      useCase: (dependencies) => ask(dependencies, this.#caller),
      heard: (answer) => void answers.push(answer.ok ? "accepted" : answer.problem.code),
    });
  }

  /** Asks again and again until an answer comes that stays the same. */
  async #answerTo<T>(question: Question<T>): Promise<Result<T>> {
    const { number, patienceMs, useCase, asks } = question;
    for (let attempt = 0; ; attempt += 1) {
      const gateway = this.#gateways[(number + attempt) % this.#gateways.length];
      if (gateway === undefined) throw new Error("a cluster has gateways");
      asks?.();
      const asking = askGateway(this.#way, gateway, useCase).then((answer) => this.#hear(question, answer));
      const answer = await this.#within(patienceMs, asking);
      if (answer !== undefined && (answer.ok || !isTransient(answer.problem))) return answer;
      await this.#world.sleep(AGAIN_MS);
    }
  }

  #hear<T>({ words: asked, heard, shown }: Question<T>, answer: Result<T>): Result<T> {
    const known = answer.ok && shown !== undefined ? shown(answer.value) : answer;
    this.#heard.push({ orgId: this.#caller.orgId, asked, text: answerAsText(known) });
    heard?.(answer);
    return answer;
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
