import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";
import { networkOfKebab } from "./contract-call.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const contract = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const abi = { type: "function", name: "symbol", stateMutability: "view", inputs: [], outputs: [] };
const raw = { kind: "Evm", network: "EthereumSepolia", contract, data: "0x95d89b41" };
const call = (network: string, body: object) =>
  world.call("POST", `/networks/${network}/call-function`, body);

describe("contracts that are asked", () => {
  it("answer a function by its ABI, on a network by either of its spellings", async () => {
    for (const network of ["ethereum-sepolia", "EthereumSepolia"]) {
      const { status, body } = await call(network, { contract, abi });
      expect([status, body]).toEqual([200, "symbol"]);
    }
  });

  it("answer call data of older clients", async () => {
    const { status, body } = await world.call("POST", "/networks/read-contract", raw);
    expect([status, body]).toEqual([200, { kind: "Evm", data: raw.data }]);
  });

  it("may refuse, which is no fault of the service", async () => {
    const failing = await call("ethereum-sepolia", { contract, abi: { ...abi, name: "fails" } });
    expect([failing.status, errorOf(failing.body).details.code]).toEqual([422, "ExecutionReverted"]);
    const nothing = await world.call("POST", "/networks/read-contract", { ...raw, data: "0x" });
    expect([nothing.status, errorOf(nothing.body).details.code]).toEqual([422, "ExecutionReverted"]);
  });

  it.each([
    ["nowhere", {}, "NetworkUnknown"],
    ["Ethereum", {}, "NetworkNotEnabled"],
    ["KeyECDSA", {}, "NetworkWithoutContracts"],
    ["ethereum-sepolia", { contract: "0x00" }, "InvalidBody"],
    ["ethereum-sepolia", { abi: { ...abi, stateMutability: "payable" } }, "InvalidBody"],
    ["ethereum-sepolia", { calldata: "0x" }, "InvalidBody"],
  ])("INV-9 are not asked on %s with %j: %s", async (network, change, code) => {
    const { status, body } = await call(network, { contract, abi, ...change });
    expect([status, errorOf(body).details.code]).toEqual([400, code]);
  });

  it("are named by networks in kebab case", () => {
    const networks = ["AvalancheCFuji", "PolygonAmoy", "Base"];
    expect(
      ["avalanche-c-fuji", "polygon-amoy", "base", "Other"].map((name) => networkOfKebab(name, networks)),
    ).toEqual([...networks, "Other"]);
  });
});
