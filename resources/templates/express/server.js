import express from 'express';

const app = express();
app.use(express.json());
app.use(express.static('public'));

app.get('/api/health', (_request, response) => {
  response.json({ ok: true });
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, '127.0.0.1', () => {
  console.log(`http://localhost:${port}`);
});
