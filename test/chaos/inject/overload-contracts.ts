import type { Heal } from "@conclave/chaos";
import type { Cluster, CustodyApi } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { z } from "zod";
import { addOrganisation } from "../../integration/second-organisation.ts";
import { FIRST_NETWORK } from "./process-names.ts";

/** More requests than one organisation may have in progress at a time; the gateway refuses the excess. */
const AT_ONCE = 18;
/** Upper bound of requests, in case nobody heals the fault. */
const ASKED_MAX = 20_000;
/** JUMPDEST, PUSH1 0, JUMP: a loop that uses up a call's gas. */
const ENDLESS = "0x5b600056";
const CONTRACT = "0x00000000000000000000000000000000000c1a05";
/** Values in the call: a body has at most 1024, of which the list of arguments and its one argument take two. */
const CALL_VALUES = 1_022;
const LARGE_CALL = {
  contract: CONTRACT,
  abi: {
    name: "sum",
    type: "function",
    stateMutability: "view",
    inputs: [{ name: "values", type: "uint8[]" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  calldata: [Array.from({ length: CALL_VALUES }, (_, at) => at % 256)],
};
const SLOW_CALL = { kind: "Evm", network: FIRST_NETWORK, contract: CONTRACT, data: "0x00" };
/** A transaction that is tried and fails, because it needs unlimited gas. */
const SLOW_TRANSACTION = { kind: "Evm", to: CONTRACT, data: "0x00" };
const BAD_REQUEST = 400;

const walletSchema = z.object({ id: z.string() });

/** Repeats a request until the fault is over. A gateway that is down, or refuses the caller, answers sooner. */
const askOn = async (api: CustodyApi, path: string, body: unknown, isOver: () => boolean): Promise<void> => {
  for (let asked = 0; asked < ASKED_MAX / AT_ONCE && !isOver(); asked += 1) {
    const answer = await api.send("POST", path, body).catch(() => undefined);
    // a request with an invalid body would cause no load
    if (answer?.status === BAD_REQUEST) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
};

/** Makes a wallet of its own for each caller, so that their requests do not wait for each other. */
const payOn = async (api: CustodyApi, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const answer = await api.send("POST", "/wallets", { network: FIRST_NETWORK }).catch(() => undefined);
    const { data: wallet } = walletSchema.safeParse(answer?.body);
    // wallet creation may fail if busy signers take too long
    if (wallet !== undefined)
      return askOn(api, `/wallets/${wallet.id}/transactions`, SLOW_TRANSACTION, isOver);
  }
};

/**
 * Lets another organisation call a contract that loops forever, call it with the most arguments allowed, and send it
 * transactions from several wallets, all without pause. An administrator has the right to do that, and other organisations must
 * not notice.
 */
export const overloadContracts = async (cluster: Cluster): Promise<Heal> => {
  const control = createTestClient({ mode: "anvil", transport: http(cluster.description.chain.rpcUrl) });
  await control.setCode({ address: CONTRACT, bytecode: ENDLESS });
  const { api } = await addOrganisation(cluster);
  let isOver = false;
  const kinds = [
    () => askOn(api, "/networks/read-contract", SLOW_CALL, () => isOver),
    () => askOn(api, `/networks/${FIRST_NETWORK}/call-function`, LARGE_CALL, () => isOver),
    () => payOn(api, () => isOver),
  ];
  const asking = Promise.all(
    Array.from({ length: AT_ONCE / kinds.length }, () => kinds.map((ask) => ask())).flat(),
  );
  // the fault's healing reports the failure
  asking.catch(() => undefined);
  return async () => {
    isOver = true;
    await asking;
  };
};
