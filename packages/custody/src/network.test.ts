import { describe, expect, it } from "vitest";
import { familyOf, judgeNetwork, NETWORKS, networkSchema } from "./network.ts";

describe("networks", () => {
  it("each have a family, and none is named twice", () => {
    const families = NETWORKS.map((network) => familyOf(networkSchema.parse(network)));
    expect([new Set(NETWORKS).size, families.filter((family) => family === "Evm").length]).toEqual([
      NETWORKS.length,
      73,
    ]);
  });

  it("that are unknown get another error than those that are not served", () => {
    const codes = ["EthereumSepolia", "Bitcoin", "Nowhere", "__proto__"].map((text) => {
      const judgement = judgeNetwork(text, [networkSchema.parse("EthereumSepolia")]);
      return judgement.ok ? "ok" : judgement.problem.code;
    });
    expect(codes).toEqual(["ok", "NetworkNotEnabled", "NetworkUnknown", "NetworkUnknown"]);
  });

  it("without a chain are served by every cluster, except those whose keys this service does not make", () => {
    expect(judgeNetwork("KeyECDSA", []).ok).toBe(true);
    expect(judgeNetwork("KeyEdDSA", []).ok).toBe(true);
    expect(judgeNetwork("KeyECDSAStark", [])).toMatchObject({ problem: { code: "NetworkNotEnabled" } });
  });
});
