"""The commands by heading: where each is, and what it does."""

COMMANDS = {
    "In the order of work": {
        "new": ("new:new", "Write a scenario to begin with."),
        "check": ("check:check", "Check a scenario or a grid without running it: all mistakes at once."),
        "run": ("run:run", "Run a scenario and write its bundle."),
        "report": ("report:report", "Write a bundle's report, one HTML file."),
        "compare": ("compare:compare", "Put the figures of runs side by side."),
        "sweep": ("sweep:app", "Run a grid of scenarios on all cores; show what came of it."),
    },
    "With real programs": {
        "shell": ("shell:shell", "Run real programs over a scenario's air, in real time."),
        "knob": ("knob:knob", "Change the world of a shell that runs, or watch it."),
        "on": ("shell:on", "Run a command on a host of a shell that runs."),
    },
    "The way back": {
        "fit": ("fit:fit", "Find the worlds that a measurement allows, and what it says nothing about."),
    },
    "To find causes": {
        "diagnose": ("diagnose:diagnose", "Say what went wrong in captures, how sure that is, and what it cost."),
        "doctor": ("doctor:doctor", "Say what is silently wrong for TCP over this machine's Wi-Fi, and what mends it."),
        "collect": ("collect:collect", "Record this machine's Wi-Fi for a minute, for `airloom diagnose`."),
    },
    "To take away": {
        "plot": ("plot:plot", "Draw a chart of a run, a sweep or a paper into a file: SVG, PNG or PDF."),
        "cite": ("cite:cite", "Print a BibTeX entry for airloom, and for the numbers of runs."),
        "export": ("export:export", "Write a table of a run, a sweep or a paper, or a link for mahimahi and netem."),
    },
    "For a class": {
        "lab": ("lab:app", "Sheets for a class: write one for a student, grade what was handed in."),
    },
    "To look at": {
        "airtime": ("airtime:airtime", "Compute how long a PPDU and its exchange are on the air, piece by piece."),
        "demo": ("demo:demo", "Show an upload that stalls with every scan, and the remedy."),
        "papers": ("papers:app", "Published experiments: list, run and score them."),
        "profiles": ("profiles:profiles", "List the hosts, adapters and the like that a scenario can name."),
        "schema": ("schema:schema", "Describe a key of scenario files, or print their JSON Schema."),
    },
    "Besides": {
        "mcp": ("mcp:mcp", "Serve the commands to an agent, as tools of the Model Context Protocol."),
        "guard": ("guard:guard", "Guard this machine's own Wi-Fi against scans."),
        "man": ("man:man", "Show a command's manual page, or install all of them."),
        "completion": ("completion:completion", "Print what completes commands in a shell, or install it."),
    },
}
