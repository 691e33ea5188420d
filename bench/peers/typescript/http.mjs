// Streamable HTTP as in the SDK's examples simpleStatelessStreamableHttp and simpleStreamableHttp, in production mode.
import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { localhostHostValidation } from "@modelcontextprotocol/sdk/server/middleware/hostHeaderValidation.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import express from "express";

process.env.NODE_ENV ??= "production";

export function serve(getServer, { listen, stateless, json }) {
  // What createMcpExpressApp() makes, but for the limit: its own, 100 KB, does not hold the largest call.
  const app = express();
  app.use(localhostHostValidation());
  app.use(express.json({ limit: "4mb" }));
  app.post("/mcp", stateless ? withoutSessions(getServer, json) : withSessions(getServer, json));

  const [host, port] = listen.split(":");
  const listener = app.listen(Number(port), host, (error) => {
    if (error) throw error;
    console.error(`listening on http://${host}:${listener.address().port}/mcp`);
  });
}

function withoutSessions(getServer, json) {
  return async (req, res) => {
    const server = getServer();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: json });
    res.on("close", () => {
      transport.close();
      server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
  };
}

function withSessions(getServer, json) {
  const transports = new Map();
  return async (req, res) => {
    const id = req.headers["mcp-session-id"];
    let transport = transports.get(id);
    if (!transport && !id && isInitializeRequest(req.body)) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: json,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      transport.onclose = () => transports.delete(transport.sessionId);
      await getServer().connect(transport);
    }
    if (!transport) {
      res.status(id ? 404 : 400).end();
      return;
    }
    await transport.handleRequest(req, res, req.body);
  };
}
