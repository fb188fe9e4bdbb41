import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAMILIES } from "@conclave/chains";
import { loadNetworks } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { LOCAL_NETWORKS } from "../networks/network-table.ts";
import { stateLayout } from "../state/layout.ts";
import { provisionFiles } from "./files.ts";

const request = (state: string, rpcUrl = "http://anvil:8545") => ({
  state,
  signers: 3,
  threshold: 2,
  rpcUrl,
  signerPort: 9100,
});

it("a second run changes nothing: the networks that an operator has written stay", async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
  const { clusterId } = await provisionFiles(request(state));
  const layout = stateLayout(state);
  expect((await loadNetworks(layout.networks, FAMILIES)).map(({ network }) => network)).toEqual([
    "EthereumSepolia",
  ]);
  const own = JSON.stringify(LOCAL_NETWORKS.map((local) => local.entry("http://127.0.0.1:8545", "seed")));
  writeFileSync(layout.networks, own);
  writeFileSync(layout.prices, "[]");
  const roster = readFileSync(layout.roster, "utf8").replace("signer-2:9100", "elsewhere:7000");
  writeFileSync(layout.roster, JSON.stringify(JSON.parse(roster), undefined, 2).concat("\n"));
  expect(await provisionFiles(request(state, "http://another:8545"))).toMatchObject({
    clusterId,
    isNew: false,
    lacking: [],
  });
  expect(readFileSync(layout.networks, "utf8")).toBe(own);
  expect(readFileSync(layout.prices, "utf8")).toBe("[]");
  expect(readFileSync(layout.roster, "utf8")).toBe(roster);
});

describe("networks of other families", () => {
  it("have entries when they are asked for, with the first block of the chain that its container makes", async () => {
    const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
    const made = await provisionFiles({
      ...request(state),
      networks: ["Solana", "Algorand"],
      seed: "shared",
    });
    expect(made).toMatchObject({ isNew: true, networks: ["EthereumSepolia", "Algorand", "Solana"] });
    const algorand = LOCAL_NETWORKS.find(({ network }) => network === "Algorand");
    const written: unknown = JSON.parse(readFileSync(stateLayout(state).networks, "utf8"));
    expect(written).toContainEqual(algorand?.entry("http://ledger-algorand:4001", "shared"));
    expect(await loadNetworks(stateLayout(state).networks, FAMILIES)).toHaveLength(3);
  });

  it("that are requested later are printed, and the operator's file stays as it is", async () => {
    const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
    await provisionFiles(request(state));
    const before = readFileSync(stateLayout(state).networks, "utf8");
    const again = await provisionFiles({ ...request(state), networks: ["Tron"] });
    expect(again.lacking).toEqual([
      expect.objectContaining({ network: "Tron", fullNodeUrl: "http://ledger-tron:4001" }),
    ]);
    expect(readFileSync(stateLayout(state).networks, "utf8")).toBe(before);
  });

  it("INV-9 without a local node are refused before anything is written", async () => {
    const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
    await expect(provisionFiles({ ...request(state), networks: ["Algorant"] })).rejects.toThrow("Algorant");
    expect(existsSync(stateLayout(state).cluster)).toBe(false);
  });
});

it("signers that may hold shares are never provisioned anew: a lost roster is restored", async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
  await provisionFiles(request(state));
  const layout = stateLayout(state);
  const share = join(layout.signer(2), "vault", "000005.ldb");
  mkdirSync(join(layout.signer(2), "vault"));
  writeFileSync(share, "a share");
  rmSync(layout.cluster, { recursive: true });
  const identity = readFileSync(join(layout.signer(1), "identity.key"), "utf8");
  await expect(provisionFiles(request(state))).rejects.toThrow(`${layout.signer(2)} may hold shares of keys`);
  expect(readFileSync(share, "utf8")).toBe("a share");
  expect(readFileSync(join(layout.signer(1), "identity.key"), "utf8")).toBe(identity);
});

it("a cluster of another shape is refused, and nothing of it is touched", async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-files-"));
  await provisionFiles(request(state));
  const { networks } = stateLayout(state);
  const before = readFileSync(networks, "utf8");
  await expect(provisionFiles({ ...request(state, "http://another:8545"), threshold: 3 })).rejects.toThrow(
    LaunchError,
  );
  expect(readFileSync(networks, "utf8")).toBe(before);
});
