import { vi } from "vitest";
import { z } from "zod";
import type { World } from "../testing/world.ts";

const idSchema = z.looseObject({ id: z.string() });
const listSchema = z.looseObject({ items: z.array(idSchema) });
const PATIENCE = { timeout: 10_000, interval: 10 };

/**
 * Makes entities of every kind, so that requests reach more than a 404.
 *
 * @param authorization of their owner; the world's own caller by default
 * @returns their ids
 */
export const furnish = async (world: World, authorization?: string): Promise<readonly string[]> => {
  const headers = authorization === undefined ? {} : { authorization };
  const made = async (path: string, body: unknown): Promise<string> => {
    const answer = await world.call("POST", path, body, headers);
    return idSchema.parse(answer.body).id;
  };
  /** Makes an entity that the signers complete a moment later, whether or not the caller waits. */
  const madeBySigners = async (path: string, body: unknown): Promise<string> => {
    const before = listSchema.parse((await world.call("GET", path, undefined, headers)).body).items.length;
    await world.call("POST", path, body, headers);
    return vi.waitFor(async () => {
      const { items } = listSchema.parse((await world.call("GET", path, undefined, headers)).body);
      const [newest] = items;
      if (newest === undefined || items.length === before) throw new Error(`${path} has nothing new yet`);
      return newest.id;
    }, PATIENCE);
  };
  const key = await madeBySigners("/keys", { scheme: "EdDSA", curve: "ed25519" });
  const wallet = await madeBySigners("/wallets", { network: "EthereumSepolia" });
  const to = `0x${"1".repeat(40)}`;
  const transfer = await made(`/wallets/${wallet}/transfers`, { kind: "Native", to, amount: "1" });
  const permission = await made("/permissions", { name: "fuzz", operations: [] });
  const webhook = await made("/webhooks", { url: "http://127.0.0.1:1/", events: ["*"], status: "Disabled" });
  const policy = await made("/v2/policies", {
    name: "fuzz",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionAmountLimit", configuration: { limit: "1000000", currency: "USD" } },
    action: { kind: "NoAction" },
  });
  return [wallet, key, transfer, permission, webhook, policy];
};
