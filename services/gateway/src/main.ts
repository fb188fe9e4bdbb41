import { runGateway } from "./run.ts";

await runGateway((code) => process.exit(code));
