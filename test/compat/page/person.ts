import { setTimeout as delay } from "node:timers/promises";
import type { Documented } from "./documented.ts";
import type { Pressing } from "./pressing.ts";

const MOST_READINGS = 120;
const POLL_MS = 250;

/** The result of pressing Execute once. */
export interface Tried {
  readonly operationId: string;
  /** the example's name; undefined for an operation without a body */
  readonly shows: string | undefined;
  readonly status: number;
  /** the URL that was called */
  readonly url: string;
  readonly body: unknown;
}

/** The property of an answer that holds an id, by the id's name in paths. */
const MADE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createWallet: { walletId: "id", keyId: "signingKey.id" },
  bulkCreateWallets: { jobId: "id" },
  createAddressWatch: { addressWatchId: "id" },
  createKey: { keyId: "id" },
  transferAsset: { transferId: "id", walletId: "walletId" },
  broadcastTransaction: { transactionId: "id", walletId: "walletId" },
  createUser: { userId: "userId" },
  createServiceAccount: { serviceAccountId: "userInfo.userId" },
  createPersonalAccessToken: { tokenId: "tokenId" },
  createApplication: { appId: "appId" },
  createPermission: { permissionId: "id" },
  createAssignment: { assignmentId: "id", approvalId: "approvalId" },
  deleteAssignment: { approvalId: "approvalId" },
  createPolicy: { policyId: "id" },
  createWebhook: { webhookId: "id" },
  listCredentials: { credentialUuid: "items.0.credentialUuid" },
};

export const propertyAt = (holder: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (each, name) => (typeof each === "object" && each !== null ? Reflect.get(each, name) : undefined),
      holder,
    );

/** Whether an operation ends or decides something: the page fills in no id there, so the caller must name one. */
export const isEnding = ({ method, path }: Documented): boolean =>
  (method === "DELETE" && !path.endsWith("/tags")) ||
  /\/(abort|archive|cancel|deactivate|decisions|delegate|export)$/.test(path);

/** A person at the page, who copies ids from answers into fields that need them, and reacts to each answer. */
export class Person {
  readonly tried: Tried[] = [];
  /** ids copied from answers, by their names in paths and bodies */
  readonly ids: Map<string, string> = new Map();

  private readonly page: Pressing;
  private readonly operations: readonly Documented[];
  private readonly react: (tried: Tried) => Promise<void>;

  constructor(page: Pressing, operations: readonly Documented[], react: (tried: Tried) => Promise<void>) {
    this.page = page;
    this.operations = operations;
    this.react = react;
  }

  /** @param shows the examples to send; by default all */
  async tryOut(operationId: string, shows?: readonly string[]): Promise<void> {
    const operation = this.operations.find((each) => each.operationId === operationId);
    if (operation === undefined) throw new Error(`the page has no ${operationId}`);
    const chosen = shows ?? operation.examples;
    for (const each of chosen.length === 0 ? [undefined] : chosen) await this.press(operation, each);
  }

  /** Reads a resource repeatedly until it has this status. */
  async tryUntil(operationId: string, status: string): Promise<void> {
    for (let again = 0; again < MOST_READINGS; again += 1) {
      await this.tryOut(operationId);
      if (propertyAt(this.tried.at(-1)?.body, "status") === status) return;
      await delay(POLL_MS);
    }
    throw new Error(`${operationId}: it is not ${status} after ${MOST_READINGS} readings`);
  }

  private async press(operation: Documented, shows: string | undefined): Promise<void> {
    const typed = isEnding(operation) ? this.ids : new Map<string, string>();
    const { operationId } = operation;
    const tried = { operationId, shows, ...(await this.page.tryOut(operation, shows, typed)) };
    this.tried.push(tried);
    for (const [name, property] of Object.entries(MADE[operationId] ?? {})) {
      const id = propertyAt(tried.body, property);
      if (typeof id === "string") this.ids.set(name, id);
    }
    await this.react(tried);
  }

  /** Operations and examples that were not tried. */
  untried(): readonly string[] {
    const done = new Set(this.tried.map(({ operationId, shows }) => `${operationId}: ${shows ?? ""}`));
    return this.operations
      .flatMap(({ operationId, examples }) =>
        (examples.length === 0 ? [""] : examples).map((shows) => `${operationId}: ${shows}`),
      )
      .filter((each) => !done.has(each));
  }
}
