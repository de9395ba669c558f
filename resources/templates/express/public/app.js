const app = document.querySelector('#app');
const health = await fetch('/api/health').then((response) => response.json());

app.innerHTML = `
  <h1>App</h1>
  <p>The server answers: ${health.ok ? 'yes' : 'no'}.</p>
`;
