import { describe, expect, it } from "vitest";
import { banner, bannerData } from "./banner.ts";

const access = (name: string) => ({
  userId: "us-tko20-e1q3k-3adoncfnpoclq348",
  token: "eyJhbGciOiJFZERTQSJ9",
  tokenFile: `/home/me/conclave/.conclave/local/developer/${name}.token`,
  credential: { id: "LmAmyOVSK9ANyOyKha1yLaxsCkvmnVDYT5BUcPf5vBU", keyFile: `/home/me/${name}.pem` },
});

const DESCRIPTION = {
  state: "/home/me/conclave/.conclave/local",
  parameters: "CGGMP24-128",
  threshold: 3,
  api: { url: "http://127.0.0.1:8080" },
  orchestrator: { url: "http://127.0.0.1:8081" },
  chain: {
    network: "EthereumSepolia",
    chainId: 11155111,
    rpcUrl: "http://127.0.0.1:8545",
    development: true,
  },
  networks: ["EthereumSepolia", "Polygon", "Algorand"].map((network) => ({ network, url: "", adminUrl: "" })),
  developer: {
    orgId: "or-d0l19-icr6n-qhko9h1ljwii3tzg",
    ...access("user"),
    serviceAccount: access("service"),
  },
  signers: [1, 2, 3, 4, 5].map((index) => ({
    id: `signer-${index}`,
    index,
    address: `127.0.0.1:910${index}`,
  })),
};

const READY = { quarantined: [], keysToRefresh: 0, clockAheadMs: 0, isClockOff: false } as const;
const states = DESCRIPTION.signers.map(({ id, index }) => ({
  ...READY,
  id,
  index,
  state: "ready",
  standing: "ready" as const,
}));
const HINTS = { stopHint: "Ctrl-C stops it.", tryFile: `${DESCRIPTION.state}/try-this.sh` };

describe("the banner", () => {
  it("fits a screen of 80 columns and 40 lines, and has no token", () => {
    const text = banner(DESCRIPTION, states, HINTS);
    const lines = text.split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).not.toContain(DESCRIPTION.developer.token);
    expect(text).toContain(DESCRIPTION.developer.tokenFile);
    expect(text).toContain("make fund ADDRESS=… NETWORK=Algorand");
  });

  it("names a cluster that is not the first one in its commands, and a signer that is behind", () => {
    const [first, ...others] = states;
    if (first === undefined) throw new Error("there are signers");
    const state = "/home/me/.conclave/second";
    const text = banner({ ...DESCRIPTION, state }, [{ ...first, standing: "bare" }, ...others], HINTS);
    expect(text).toContain("make fund ADDRESS=… NETWORK=Algorand NAME=second");
    expect(text).toContain("`make reprovision SIGNER=signer-1 NAME=second`");
  });

  it("has all members of the description as JSON, with the states and the lines to try", () => {
    const whole = { ...DESCRIPTION, clusterId: "cluster-1" };
    const data = JSON.parse(bannerData(DESCRIPTION, states, whole));
    expect(data).toMatchObject({
      clusterId: "cluster-1",
      signers: [{ id: "signer-1", state: "ready" }, {}, {}, {}, {}],
    });
    expect(data.tryThis).toContain(`TOKEN=$(cat '${DESCRIPTION.developer.tokenFile}')`);
  });
});
