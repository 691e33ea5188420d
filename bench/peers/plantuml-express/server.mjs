// The service as one would write it with Express and the npm package plantuml-encoder.
import express from "express";
import encoder from "plantuml-encoder";

process.env.NODE_ENV ??= "production";
const [host, port] = process.argv[process.argv.indexOf("--listen") + 1].split(":");
const app = express();
app.use(express.json({ limit: "1mb" }));
app.post("/api/tools/encodePlantUML", (req, res) => {
  const encoded = encoder.encode(req.body.plantumlCode);
  res.json({ success: true, result: { url: `https://www.plantuml.com/plantuml/svg/${encoded}`, encoded, format: "svg" } });
});
const listener = app.listen(Number(port), host, (error) => {
  if (error) throw error;
  console.error(`listening on http://${host}:${listener.address().port}/`);
});
