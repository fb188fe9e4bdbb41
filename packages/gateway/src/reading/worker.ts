// The thread of reading-thread.ts.
import { workerData } from "node:worker_threads";
import { FAMILIES } from "@conclave/chains";
import workerpool from "workerpool";
import { bodyReader } from "./body-reader.ts";
import type { ReadingStart } from "./reading-thread.ts";

const { networks }: ReadingStart = workerData;
const { signature, networkOf, transaction, act } = bodyReader({
  families: FAMILIES,
  chains: new Map(networks.map((network) => [network.network, { network }])),
});
workerpool.worker({ signature, networkOf, transaction, act });
