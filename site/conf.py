"""How Sphinx builds the site; `site/build.py` calls it."""

from airloom import _engine

project = "airloom"
author = "the airloom contributors"
copyright = "the airloom contributors, Apache-2.0"
release = _engine.version()

extensions = ["myst_parser"]
exclude_patterns = ["**/.*"]
myst_heading_anchors = 4
nitpicky = True

html_theme = "furo"
html_title = f"airloom {release}"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["site.css"]
pygments_style = "friendly"
pygments_dark_style = "github-dark"
