import { runOrchestrator } from "./run.ts";

await runOrchestrator((code) => process.exit(code));
