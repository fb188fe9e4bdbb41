import type { Heal } from "@conclave/chaos";
import type { Cluster, CustodyApi } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { addOrganisation } from "../../integration/second-organisation.ts";
import { FIRST_NETWORK } from "./process-names.ts";

/** More than one organisation may have under way at a time: those beyond are turned away. */
const AT_ONCE = 16;
/** An end, should nobody heal it. */
const ASKED_MAX = 20_000;
/** JUMPDEST, PUSH1 0, JUMP: it uses up whatever gas a call is given. */
const ENDLESS = "0x5b600056";
const CONTRACT = "0x00000000000000000000000000000000000c1a05";
/** As many values as a call may have. */
const LARGE_CALL = {
  contract: CONTRACT,
  abi: {
    name: "sum",
    type: "function",
    stateMutability: "view",
    inputs: [{ name: "values", type: "uint8[]" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  calldata: [Array.from({ length: 4_000 }, (_, at) => at % 256)],
};
const SLOW_CALL = { kind: "Evm", network: FIRST_NETWORK, contract: CONTRACT, data: "0x00" };

/** Asks for one thing again and again until it is over. A gateway that is down, or turns the caller away, answers sooner. */
const askOn = async (api: CustodyApi, path: string, body: unknown, isOver: () => boolean): Promise<void> => {
  for (let asked = 0; asked < ASKED_MAX / AT_ONCE && !isOver(); asked += 1) {
    await api.send("POST", path, body).catch(() => undefined);
  }
};

/**
 * Has an organisation of its own ask a contract that never ends, and one with as many arguments as a call may have, all the time. It is an
 * administrator's own right to ask that; nobody else may notice.
 */
export const overloadContracts = async (cluster: Cluster): Promise<Heal> => {
  const control = createTestClient({ mode: "anvil", transport: http(cluster.description.chain.rpcUrl) });
  await control.setCode({ address: CONTRACT, bytecode: ENDLESS });
  const { api } = await addOrganisation(cluster);
  let isOver = false;
  const asking = Array.from({ length: AT_ONCE }, (_, at) =>
    at % 2 === 0
      ? askOn(api, "/networks/read-contract", SLOW_CALL, () => isOver)
      : askOn(api, `/networks/${FIRST_NETWORK}/call-function`, LARGE_CALL, () => isOver),
  );
  return async () => {
    isOver = true;
    await Promise.all(asking);
  };
};
