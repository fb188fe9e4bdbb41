import type { ClientProcess } from "../client/client-process.ts";
import { badRequests, foreignRequests, type HopelessRequest } from "../client/hopeless-requests.ts";
import { chanceOf } from "../time/chance-of.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** The share of questions for lists: an organisation may ask for these, and they hold only what is its own. */
const LISTS_SHARE = 0.2;

/**
 * Has one of the clients ask for what must be refused, or for its lists, as the seed draws.
 * @param webhooks of all organisations
 * @returns begins one question
 */
export const hopelessLoad = (
  { clients, parts }: SimulatedCluster,
  webhooks: readonly OwnWebhook[],
): (() => void) => {
  const chance = chanceOf(parts.seed, "hopeless");
  const [first, second] = clients;
  return () => {
    const [asker, other] = chance.of([
      [first, second],
      [second, first],
    ] as const);
    const [wallet] = asker.wallets;
    if (wallet === undefined) return;
    const isListing = chance.share() < LISTS_SHARE;
    const asking = isListing
      ? asker.list(wallet)
      : asker.tryHopeless(chance.of(requestsOf(asker, other, webhooks)));
    asking.catch((error: unknown) => parts.failed(asker.name, error));
  };
};

const requestsOf = (
  asker: ClientProcess,
  other: ClientProcess,
  webhooks: readonly OwnWebhook[],
): readonly HopelessRequest[] => {
  const [[wallet], [foreign]] = [asker.wallets, other.wallets];
  if (wallet === undefined || foreign === undefined) throw new Error("each client has a wallet");
  const accepted = asker.asked.find(({ ids }) => ids.size > 0);
  const [transfer] = other.asked.flatMap(({ ids }) => [...ids]);
  const webhook = webhooks.find(({ orgId }) => orgId === other.organisation.id)?.id;
  return [
    ...badRequests({ wallet, usedExternalId: accepted?.externalId }),
    ...foreignRequests({ wallet }, { wallet: foreign, transfer, webhook }),
  ];
};
