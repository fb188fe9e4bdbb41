import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAMILIES } from "@conclave/chains";
import { loadNetworks, loadRoster, signersListing } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { LOCAL_NETWORKS } from "../networks/network-table.ts";
import { stateLayout } from "../state/layout.ts";
import { provisionIdentities, writeCluster } from "./roster.ts";

const SHAPE = { signers: 3, threshold: 2, parameters: "CGGMP24-128" } as const;
const addresses = {
  ofSigner: (index: number) => `127.0.0.1:${9100 + index}`,
  networks: LOCAL_NETWORKS.map((local) => local.entry("http://127.0.0.1:8545", "seed")),
};

const freshLayout = () => {
  const layout = stateLayout(mkdtempSync(join(tmpdir(), "conclave-provision-")));
  mkdirSync(layout.root, { recursive: true });
  return layout;
};

it("the written files are those that the services read", async () => {
  const layout = freshLayout();
  writeCluster(layout, await provisionIdentities(layout, SHAPE), SHAPE, addresses);
  const roster = await loadRoster(layout.roster);
  expect(roster.signers.map(({ address }) => address)).toEqual([
    "127.0.0.1:9101",
    "127.0.0.1:9102",
    "127.0.0.1:9103",
  ]);
  expect((await loadNetworks(layout.networks, FAMILIES)).map(({ network }) => network)).toEqual(
    LOCAL_NETWORKS.map(({ network }) => network),
  );
});

it("every signer has a key to which clients encrypt shares of keys that they import", async () => {
  const layout = freshLayout();
  const roster = writeCluster(layout, await provisionIdentities(layout, SHAPE), SHAPE, addresses);
  expect(signersListing(roster).clusters[0]?.signers).toHaveLength(3);
  expect(signersListing(await loadRoster(layout.roster))).toEqual(signersListing(roster));
});

describe("state of a cluster that was provisioned before keys could be imported", () => {
  const provisionedBefore = async () => {
    const layout = freshLayout();
    const present = await provisionIdentities(layout, SHAPE);
    const signers = present.signers.map(({ importKey: _, ...signer }) => signer);
    const before = { ...present, signers };
    writeCluster(layout, before, SHAPE, addresses);
    return { layout, present, before };
  };

  it("gets the keys that follow from its identities", async () => {
    const { layout, present } = await provisionedBefore();
    expect(await provisionIdentities(layout, SHAPE)).toEqual(present);
  });

  it("is taken as it is where an identity lies elsewhere: it imports no keys", async () => {
    const { layout, before } = await provisionedBefore();
    rmSync(layout.signer(2), { recursive: true });
    expect(await provisionIdentities(layout, SHAPE)).toEqual(before);
    expect(signersListing(await loadRoster(layout.roster))).toEqual({ clusters: [] });
  });
});

it("a second start keeps every identity", async () => {
  const layout = freshLayout();
  const first = await provisionIdentities(layout, SHAPE);
  writeCluster(layout, first, SHAPE, addresses);
  expect(await provisionIdentities(layout, SHAPE)).toEqual(first);
});

it.each([{ signers: 4 }, { threshold: 3 }, { parameters: "INSECURE-TEST" } as const])(
  "state of another shape is refused with the way out: %o is asked for",
  async (other) => {
    const layout = freshLayout();
    writeCluster(layout, await provisionIdentities(layout, SHAPE), SHAPE, addresses);
    const refused = provisionIdentities(layout, { ...SHAPE, ...other });
    await expect(refused).rejects.toThrow(LaunchError);
  },
);

it("INV-10 every private key that is written is sealed, and only its owner may read it", async () => {
  const layout = freshLayout();
  await provisionIdentities(layout, SHAPE);
  const keys = [
    join(layout.signer(1), "identity.key"),
    join(layout.signer(1), "tls.key"),
    join(layout.gateway, "authority.key"),
    join(layout.gateway, "token.key"),
    join(layout.orchestrator, "tls.key"),
  ];
  for (const file of keys) {
    expect(readFileSync(file, "utf8")).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    expect(statSync(file).mode & 0o077).toBe(0);
  }
});
