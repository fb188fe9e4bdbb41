import type { Heal } from "@conclave/chaos";
import type { Cluster, CustodyApi } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { z } from "zod";
import { addOrganisation } from "../../integration/second-organisation.ts";
import { FIRST_NETWORK } from "./process-names.ts";

/** More than one organisation may have under way at a time: those beyond are turned away. */
const AT_ONCE = 18;
/** An end, should nobody heal it. */
const ASKED_MAX = 20_000;
/** JUMPDEST, PUSH1 0, JUMP: it uses up whatever gas a call is given. */
const ENDLESS = "0x5b600056";
const CONTRACT = "0x00000000000000000000000000000000000c1a05";
/** Values of a call: 1024 is the most, and the list of arguments and the argument itself are two. */
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
/** It is built for, and fails: nobody has the gas for it. */
const SLOW_TRANSACTION = { kind: "Evm", to: CONTRACT, data: "0x00" };
const BAD_REQUEST = 400;

const walletSchema = z.object({ id: z.string() });

/** Asks for one thing again and again until it is over. A gateway that is down, or turns the caller away, answers sooner. */
const askOn = async (api: CustodyApi, path: string, body: unknown, isOver: () => boolean): Promise<void> => {
  for (let asked = 0; asked < ASKED_MAX / AT_ONCE && !isOver(); asked += 1) {
    const answer = await api.send("POST", path, body).catch(() => undefined);
    // a request that is refused as it is written would cost nobody anything
    if (answer?.status === BAD_REQUEST) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
};

/** Each has a wallet of its own, so that none waits for another. */
const payOn = async (api: CustodyApi, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const answer = await api.send("POST", "/wallets", { network: FIRST_NETWORK }).catch(() => undefined);
    const { data: wallet } = walletSchema.safeParse(answer?.body);
    // signers that are busy may take longer than a caller waits
    if (wallet !== undefined)
      return askOn(api, `/wallets/${wallet.id}/transactions`, SLOW_TRANSACTION, isOver);
  }
};

/**
 * Has an organisation of its own ask a contract that never ends, ask it with as many arguments as a call may have, and send it transactions
 * from several wallets, all the time. It is an administrator's own right to ask that; nobody else may notice.
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
  // its healing reports a failure
  asking.catch(() => undefined);
  return async () => {
    isOver = true;
    await asking;
  };
};
