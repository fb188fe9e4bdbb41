import { ConfigurationError } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { readOrchestratorConfig } from "./config.ts";

const complete = {
  DATABASE_URL: "postgres://nobody@127.0.0.1/none",
  CONCLAVE_NATS_URL: "nats://127.0.0.1:4222",
  CONCLAVE_NATS_TOKEN: "very-secret-token",
  CONCLAVE_ROSTER: "/nowhere/roster.json",
  CONCLAVE_NETWORKS: "/nowhere/networks.json",
  CONCLAVE_CA: "/nowhere/ca.crt",
  CONCLAVE_ORCHESTRATOR_DIR: "/nowhere",
};

describe("the configuration", () => {
  it("names every variable that is missing, and what it is for", async () => {
    await expect(readOrchestratorConfig({})).rejects.toThrow(ConfigurationError);
    await expect(readOrchestratorConfig({})).rejects.toThrow(
      /DATABASE_URL: is not set\. The PostgreSQL database/,
    );
    await expect(readOrchestratorConfig({})).rejects.toThrow(/CONCLAVE_ROSTER: is not set/);
  });

  it("INV-10 never shows a value", async () => {
    const broken = { ...complete, CONCLAVE_LISTEN: "nonsense" };
    await expect(readOrchestratorConfig(broken)).rejects.toThrow(/CONCLAVE_LISTEN/);
    await expect(readOrchestratorConfig(broken)).rejects.not.toThrow(/very-secret-token/);
  });

  it("names the file of a secret that cannot be read", async () => {
    const apart = { ...complete, DATABASE_PASSWORD_FILE: "/nowhere/password" };
    await expect(readOrchestratorConfig(apart)).rejects.toThrow(
      "DATABASE_PASSWORD_FILE names /nowhere/password, which cannot be read",
    );
  });

  it("names the file that cannot be read", async () => {
    await expect(readOrchestratorConfig(complete)).rejects.toThrow("/nowhere/roster.json");
  });
});
