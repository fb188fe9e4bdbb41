import { simulateClusters } from "./command/simulate.ts";

void simulateClusters(process.env, process.stdout).then((code) => {
  process.exitCode = code;
});
