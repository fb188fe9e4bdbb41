import type { Cluster } from "@conclave/testbed";
import { afterAll, beforeAll, expect } from "vitest";
import { startCluster } from "../throw-away-cluster.ts";

/** The parts of a shared cluster that tests may use: they stop no process. */
type SharedCluster = Pick<Cluster, "api" | "chain" | "description" | "layout" | "status">;

let started: Cluster | undefined;
const running = (): Cluster => started ?? expect.fail("the shared cluster did not start");

/** The cluster that all parts share; available once `shareOneCluster` has started it. */
export const cluster: SharedCluster = {
  get api() {
    return running().api;
  },
  get chain() {
    return running().chain;
  },
  get description() {
    return running().description;
  },
  get layout() {
    return running().layout;
  },
  status: () => running().status(),
};

/** Starts the cluster before the tests of this file, and stops it after them. */
export const shareOneCluster = (): void => {
  beforeAll(async () => {
    // with three signers and a threshold of three, each signer signs everything
    started = await startCluster({ signers: 3, threshold: 3 });
  });
  afterAll(() => started?.stop());
};
