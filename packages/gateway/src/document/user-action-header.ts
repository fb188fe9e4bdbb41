import { needsAction, needsToken } from "../http/middleware/public-paths.ts";
import { type ApiDocument, operationsIn } from "./types.ts";

const NAME = "UserAction";

/** Adds the header of signed actions to each change, as a reference to one parameter of the document. */
export const addUserActionHeader = (document: ApiDocument, isRequired: boolean): void => {
  document.components = {
    ...document.components,
    parameters: {
      ...document.components?.parameters,
      [NAME]: {
        name: "x-dfns-useraction",
        in: "header",
        required: isRequired,
        schema: { type: "string" },
        description: `The token of the user action that was signed for this very request: its method, its path and the text of its body (\`POST /auth/action/init\`, then \`POST /auth/action\`). It is good once, for five minutes. ${
          isRequired
            ? "This service refuses changes without it."
            : "This service takes changes without it; what is sent has to be good."
        }`,
      },
    },
  };
  for (const { method, path, operation } of operationsIn(document)) {
    if (method === "get" || !needsToken(path) || !needsAction(path)) continue;
    operation.parameters = [...(operation.parameters ?? []), { $ref: `#/components/parameters/${NAME}` }];
  }
};
