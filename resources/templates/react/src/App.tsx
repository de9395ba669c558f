export default function App() {
  return (
    <main>
      <h1>App</h1>
      <p>Edit src/App.tsx to begin.</p>
    </main>
  );
}
