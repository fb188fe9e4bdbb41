import { type ClusterDescription, fundAccount } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { z } from "zod";
import { documentedBy } from "./documented.ts";
import { followGuides } from "./guided.ts";
import { Person, type Tried } from "./person.ts";
import type { Pressing } from "./pressing.ts";
import { type Around, walk } from "./walk.ts";

const COINS = "5";

const walletSchema = z.object({ network: z.string(), address: z.string() });
const tokenSchema = z.object({ token: z.string() });

/** Operations without a body that are always signed, as the page's requests are not. */
const ALWAYS_SIGNED: readonly string[] = ["deleteServiceAccountCredential"];

/** Whether an answer is the expected one: only examples of the form alone, and what is always signed, may be refused. */
export const isExpected = ({ operationId, shows, status }: Tried): boolean => {
  if (ALWAYS_SIGNED.includes(operationId)) return status === 403;
  return shows?.startsWith("form:") === true ? status < 500 : status < 400;
};

/** The results of trying all operations of the page. */
export interface Walked {
  readonly tried: readonly Tried[];
  readonly untried: readonly string[];
}

/**
 * Tries every operation of the page at /docs with each of its examples, as a person who has followed the guides.
 * @param say receives each answer
 */
export const tryPage = async (
  page: Pressing,
  description: ClusterDescription,
  say: (tried: Tried) => void,
): Promise<Walked> => {
  const { api, chain, developer, networks } = description;
  const endUser = await followGuides({ description });
  const operations = await documentedBy(api.url);
  let shown = "";
  const person = new Person(page, operations, async (tried) => {
    say(tried);
    shown = tokenSchema.safeParse(tried.body).data?.token ?? shown;
    const wallet = walletSchema.safeParse(tried.body).data;
    if (tried.operationId === "createWallet" && wallet !== undefined)
      await fundAccount(networks, wallet.network, wallet.address, COINS);
    // the new owner must be a registered end user, not the user just invited
    if (tried.operationId === "createUser") person.ids.set("userId", endUser);
  });
  const node = createTestClient({ mode: "anvil", transport: http(chain.rpcUrl) });
  const tokens = { administrator: developer.token, service: developer.serviceAccount.token };
  const around: Around = {
    authorize: (who) => page.authorize(who === "end user" ? shown : tokens[who]),
    holdingBlocks: async (work) => {
      await node.setIntervalMining({ interval: 0 });
      await work();
      await node.setIntervalMining({ interval: 1 });
    },
  };
  await walk(person, operations, around);
  return { tried: person.tried, untried: person.untried() };
};
